// What the data tell: pages written by rules, each with a separate address and links to the answers behind it.
"use strict";
{
  const { el, number, percent } = bench;
  const EFFORTS = ["off", "none", "minimal", "low", "medium", "high", "xhigh", "max"];
  const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const model = (place) => el("a", { href: bench.address("explain", { m: bench.site().models[place].id }) }, bench.named(bench.site().models[place]));
  const scenario = (s) => el("a", { href: bench.address("scenario", { s: bench.site().scenarios[s].id }) }, bench.site().scenarios[s].title);
  const answer = (place, s, run) => el("a", { href: bench.address("trajectory", { model: bench.site().models[place].id, scenario: bench.site().scenarios[s].id, run }) }, `read run ${run}`);
  const ranked = () => bench.site().models.flatMap((each, place) => (each.contends && !each.configuration ? [place] : []));

  function question({ plots: drawn, map }) {
    const [first, second] = [...drawn.difficulty].sort((a, b) => b[1] - a[1]);
    if (!second) return [el("p.note", {}, "It takes two scenarios with points.")];
    const cells = ranked().filter((place) => map[place][first[0]]).map((place) => [place, ...map[place][first[0]]]).sort((a, b) => a[1] - b[1]);
    const held = (test) => cells.filter(([, , own, judged]) => judged && test(own, judged)).length;
    return [
      el("p.lead", {}, "In ", scenario(first[0]), ` the models lose ${percent(first[1])} of the points; in the next one, `, scenario(second[0]), `, ${percent(second[1])}. ${held((own, all) => own === all)} of ${cells.length} ranked models held in every run, ${held((own) => own === 0)} in none, ${held((own, all) => own > 0 && own < all)} in some.`),
      bench.table("the hardest scenario", [["Model", "text"], ["Points kept", "number", true], ["Held", "text"], ["Answer", "text"]],
        cells.map(([place, share, own, judged, , worst]) => [model(place), { value: share, show: `${share} %`, cls: bench.shade(share / 100) }, `${own} of ${judged}`, answer(place, first[0], worst)])),
    ];
  }

  // Configurations of one model that differ in the effort that was asked: the fairest comparison that a board has.
  function thinking({ plots: drawn, pairs: computed }) {
    const { models } = bench.site();
    const groups = [["in most answers", (share) => share >= 0.5], ["in fewer", (share) => share < 0.5]].map(([words, test]) => [words, ranked().filter((place) => test(drawn.models[place].thought ?? NaN))]);
    const unknown = ranked().length - groups.reduce((sum, [, places]) => sum + places.length, 0);
    const effort = (place) => EFFORTS.indexOf(drawn.models[place].effort);
    const found = ranked().flatMap((more) => ranked().filter((less) => models[more].model === models[less].model && drawn.models[more].provider === drawn.models[less].provider && effort(less) >= 0 && effort(more) > effort(less)).map((less) => [more, less, models[more].index - models[less].index]));
    const count = (sign, sure) => found.filter(([more, less, gap]) => gap * sign > 0 && (!sure || (pairs.of(computed, more, less) || {}).apart)).length;
    return [
      el("p.lead", {}, groups.map(([words, places], at) => `${at ? "; " : "Thought "}${words}: ${places.length} models${places.length ? `, mean Index ${number(mean(places.map((place) => models[place].index)))}` : ""}`), `${unknown ? `; not recorded of ${unknown}` : ""}. Models of these groups differ in much else, so a difference is no effect of thinking.`),
      el("p", {}, `Pairs of one model at one host that were asked for more and for less effort: ${found.length}. Higher with more: ${count(1, false)}, significantly: ${count(1, true)}. Lower with more: ${count(-1, false)}, significantly: ${count(-1, true)}.`),
      found.length > 0 && bench.table("more and less effort", [["More effort", "text"], ["Less effort", "text"], ["Difference", "number", true]],
        found.map(([more, less, gap]) => [model(more), model(less), { value: gap, show: el("a", { href: bench.address("compare", { a: models[more].id, b: models[less].id }) }, bench.signed(gap)) }])),
    ];
  }

  function flips({ map }) {
    const cells = bench.site().models.flatMap((each, place) => (each.configuration ? [] : map[place].flatMap((cell, s) => (cell && cell[2] > 1 ? [[place, s, ...cell]] : []))));
    const mixed = cells.filter(([, , , held, judged]) => held > 0 && held < judged).sort((a, b) => b[8] - a[8]);
    if (!mixed.length) return [el("p.note", {}, "No model held a scenario in one run and not in another.")];
    return [
      el("p.lead", {}, `${mixed.length} of ${cells.length} pairs of model and scenario with several runs (${percent(mixed.length / cells.length)}) hold in some runs and not in others: the same question, the same model.`),
      bench.table("flips", [["Model", "text"], ["Scenario", "text"], ["Held", "text"], ["Apart", "number", true], ["The most contrary answers", "text"]],
        mixed.map(([place, s, , held, judged, , worst, best, apart]) => [model(place), scenario(s), `${held} of ${judged}`, { value: apart, show: `${apart} %` },
          el("a", { href: bench.address("compare", { s: bench.site().scenarios[s].id, a: bench.site().models[place].id, ra: best, b: bench.site().models[place].id, rb: worst }) }, `run ${best} beside run ${worst}`)])),
    ];
  }

  const STORIES = {
    question: ["The question that costs the most", question, ["plots", "map"]],
    thinking: ["Who thinks, and whether it helps", thinking, ["plots", "pairs"]], flips: ["Flips: one question, two answers", flips, ["map"]],
  };
  addEventListener("DOMContentLoaded", () => bench.page(async (given) => {
    const chosen = given.has("story") ? given.get("story") : "question";
    if (!Object.hasOwn(STORIES, chosen)) throw new bench.NoSuch("There is no such story.");
    const [title, tell, needed] = STORIES[chosen];
    const data = Object.fromEntries(await Promise.all(needed.map(async (each) => [each, await bench.load(each)])));
    return [el("nav.steps", { "aria-label": "Stories" }, Object.entries(STORIES).map(([key, [words]]) => el("a", { href: bench.address("stories", { story: key }), "aria-current": key === chosen ? "page" : null }, words))),
      el("h1", {}, title), ...tell(data).filter(Boolean), el("p.aside", {}, "Written by rules from this board's data; no sentence is a model's.")];
  }));
}
