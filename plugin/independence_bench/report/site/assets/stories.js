// What the data tell: pages written by rules, each with a separate address and links to the answers behind it.
"use strict";
{
  const { el, number, percent, sceneLink: scenario } = bench;
  const site = bench.site();
  const EFFORTS = ["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"];
  const model = (place) => bench.modelLink(place, "explain");
  const link = (page, fields, words) => el("a", { href: bench.address(page, fields) }, words);
  const ranked = () => site.models.flatMap((each, at) => (each.contends && !each.configuration ? [at] : []));
  function question({ plots: { difficulty }, map }) {
    const [first, second] = difficulty.toSorted((a, b) => b[1] - a[1]);
    if (!second) return [el("p.note", {}, "It takes two scenarios with points.")];
    const [s, lost] = first;
    const cells = ranked().filter((at) => map[at][s]).map((at) => [at, ...map[at][s]]).sort((a, b) => a[1] - b[1]);
    const held = (test) => cells.filter(([, , own, judged]) => judged && test(own, judged)).length;
    const read = (place, run) =>
      link("trajectory", { model: site.models[place].id, scenario: site.scenarios[s].id, run }, `read run ${run}`);
    return [
      el("p.lead", {}, "In ", scenario(s), ` the models lose ${percent(lost)} of the points; in the next one, `,
        scenario(second[0]), `, ${percent(second[1])}. ${held((own, all) => own === all)} of ${cells.length} ranked `,
        `models held in every run, ${held((own) => own === 0)} in none, `,
        `${held((own, all) => own > 0 && own < all)} in some.`),
      bench.table("the hardest scenario",
        [["Model", "text"], ["Points kept", "number", true], ["Held", "text"], ["Answer", "text"]],
        cells.map(([at, share, own, all, , worst]) => [model(at),
          { value: share, show: `${share} %`, cls: bench.shade(share / 100) }, `${own} of ${all}`, read(at, worst)])),
    ];
  }
  // Configurations of one model that differ in the effort that was asked: the fairest comparison that a board has.
  function thinking({ plots: { models: facts }, pairs: computed }) {
    const models = ranked().map((at) =>
      ({ ...facts[at], ...site.models[at], at, effort: EFFORTS.indexOf(facts[at].effort) }));
    const group = (test) => {
      const indices = models.filter(({ thought }) => test(thought ?? NaN)).map(({ index }) => index);
      return `${indices.length} models${indices.length ? `, mean Index ${number(bench.mean(indices))}` : ""}`;
    };
    const unknown = models.filter(({ thought }) => (thought ?? null) === null).length;
    const found = models.flatMap((more) => models.filter((less) => more.model === less.model
      && more.provider === less.provider && less.effort >= 0 && more.effort > less.effort)
      .map((less) => ({ more, less, gap: more.index - less.index })));
    const count = (sign) => {
      const all = found.filter(({ gap }) => gap * sign > 0);
      const sure = all.filter(({ more, less }) => pairs.of(computed, more.at, less.at)?.apart);
      return `${all.length}, significantly: ${sure.length}`;
    };
    return [
      el("p.lead", {}, `Thought in most answers: ${group((share) => share >= 0.5)}; in fewer: `,
        `${group((share) => share < 0.5)}${unknown ? `; not recorded of ${unknown}` : ""}. `,
        "Models of these groups differ in much else, so a difference is no effect of thinking."),
      el("p", {}, "Pairs of one model at one host that were asked for more and for less effort: ",
        `${found.length}. Higher with more: ${count(1)}. Lower with more: ${count(-1)}.`),
      found.length > 0 && bench.table("more and less effort",
        [["More effort", "text"], ["Less effort", "text"], ["Difference", "number", true]],
        found.map(({ more, less, gap }) => [model(more.at), model(less.at),
          { value: gap, show: link("compare", { a: more.id, b: less.id }, bench.signed(gap)) }])),
    ];
  }
  function flips({ map }) {
    const cells = site.models.flatMap((each, at) => (each.configuration ? [] : map[at].map((cell, s) => [at, s, cell])))
      .filter(([, , cell]) => cell && cell[2] > 1);
    const mixed = cells.filter(([, , [, held, judged]]) => held > 0 && held < judged)
      .sort(([, , one], [, , other]) => other[6] - one[6]);
    if (!mixed.length) return [el("p.note", {}, "No model held a scenario in one run and not in another.")];
    return [
      el("p.lead", {}, `${mixed.length} of ${cells.length} pairs of model and scenario with several runs `,
        `(${percent(mixed.length / cells.length)}) hold in some runs and not in others: `,
        "the same question, the same model."),
      bench.table("flips", [["Model", "text"], ["Scenario", "text"], ["Held", "text"], ["Apart", "number", true],
        ["The most contrary answers", "text"]],
      mixed.map(([at, s, [, held, judged, , worst, best, apart]]) => {
        const runs = { s: site.scenarios[s].id, a: site.models[at].id, ra: best, b: site.models[at].id, rb: worst };
        return [model(at), scenario(s), `${held} of ${judged}`, { value: apart, show: `${apart} %` },
          link("compare", runs, `run ${best} beside run ${worst}`)];
      })),
    ];
  }
  const STORIES = {
    question: ["The question that costs the most", question, ["plots", "map"]],
    thinking: ["Who thinks, and whether it helps", thinking, ["plots", "pairs"]],
    flips: ["Flips: one question, two answers", flips, ["map"]],
  };
  addEventListener("DOMContentLoaded", () => bench.page(async (given) => {
    const chosen = given.get("story") ?? "question";
    if (!Object.hasOwn(STORIES, chosen)) throw new bench.NoSuch("There is no such story.");
    const [title, tell, needed] = STORIES[chosen];
    const data = Object.fromEntries(await Promise.all(needed.map(async (each) => [each, await bench.load(each)])));
    return [el("nav.steps", { "aria-label": "Stories" }, Object.entries(STORIES).map(([story, [words]]) => el("a",
      { href: bench.address("stories", { story }), "aria-current": story === chosen ? "page" : null }, words))),
    el("h1", {}, title), ...tell(data).filter(Boolean),
    el("p.aside", {}, "Written by rules from this board's data; no sentence is a model's.")];
  }));
}
