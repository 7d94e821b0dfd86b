// One model: the reasons for its rank, and links to every answer.
"use strict";
{
  const { el, number, section } = bench;
  const own = (at, cell, run) => bench.trialAddress(at, cell.s, { ...cell, run });
  // The one number, with its intervals on one axis for every model, and the rank that they leave open.
  function score(site, at, model) {
    const { rank } = site.models[at];
    const intervals = [
      ["narrow", model.interval_by_run, "if these scenarios are asked again"],
      ["wide", model.interval_by_scenario,
        `on other scenarios of these kinds${model.mostly_ceiling ? ", mostly ceiling" : ""}`],
      ["wide", model.bounds, "if all that is missing were worst or best"],
    ].filter(([, ends]) => ends);
    const [first, last] = model.rank_interval || [];
    const open = !rank ? "one run gives none"
      : first === last ? "it could hold no other" : `it could hold ${first} to ${last}`;
    const all = site.models.filter((each) => each.contends).length;
    const worst = bench.losses(model).find((each) => each.lost);
    const line = (kind, x1, x2, y1, y2) => el(`line.${kind}`, { x1: `${x1}%`, x2: `${x2}%`, y1, y2 });
    const tick = (value) => [line("grid", value, value, 0, 31), el("text.tick",
      { x: `${value}%`, y: 45, "text-anchor": { 0: "start", 100: "end" }[value] || "middle" }, String(value))];
    const bar = ([kind, [low, high]], lane) => [line(kind, low, high, 9 + 14 * lane, 9 + 14 * lane),
      model.index !== null && el("circle.dot", { cx: `${model.index}%`, cy: 9 + 14 * lane, r: 6 - 2 * lane })];
    return el("section.score", { "aria-label": "Index" },
      el("p", {}, el("b", {}, number(model.index, model.index > 99.95 && model.index < 100 ? 2 : 1)),
        model.index === null ? model.no_index || "no Index: trials are missing" : "Independence Index"),
      intervals.length > 0 && el("div", {},
        el("svg", { "aria-hidden": "true" }, [0, 25, 50, 75, 100].map(tick), intervals.map(bar)),
        el("ul.key", {}, intervals.map(([kind, ends, what]) =>
          el(`li.${kind}`, {}, el("b", {}, bench.interval(ends)), ` ${what}`)))),
      el("ul", {},
        model.rank_interval && el("li", {}, el("b", {}, `Rank ${rank || "–"} of ${all}`), `; ${open}`),
        el("li", {}, el("a", { href: bench.modelAddress(at, "explain") }, "Explain this score")),
        worst && el("li", {}, el("a", { href: own(at, worst.cell, worst.run) }, "Its worst answer"))));
  }
  function numbers(model, listed = {}) {
    return bench.numbers([
      ...Object.entries(listed.numbers || {}).map(([name, [estimate, run]]) =>
        [number(estimate), `${name}${run ? ` (${bench.interval(run)})` : ""}`]),
      model.held[0] !== null && model.held[1] > 0 && [`${model.held[0]} of ${model.held[1]}`, "trials held"],
      [`${model.measured} of ${model.planned}`, "trials measured"],
      model.delivery_kept !== null && [bench.percent(model.delivery_kept), "delivered as asked"],
      !model.cost.includes(null) && [bench.dollars(model.cost.reduce((sum, each) => sum + each, 0)), "USD in all"],
    ], "lesser");
  }
  // The scores of a trial as its judges gave them, in the order of the scenario's fields.
  function raw(fields, scores) {
    if (!scores) return fields.length ? "not judged" : "read";
    return scores.map((value, place) =>
      fields[place].boolean && Number.isInteger(value) ? ["no", "yes"][value] : bench.score(value)).join(" · ");
  }
  // What was lost, in one sentence; "" where the edition gives no points.
  function loss(model, lost) {
    const whole = lost.filter((each) => !each.lost).length;
    if (!lost.length) return "";
    if (whole === lost.length) return "It lost nothing in any scenario. ";
    const nothing = whole ? `, nothing in ${whole} of ${lost.length} scenarios` : "";
    return model.index === null
      ? ["It has no Index, because trials are missing: these are the points that the measured ones have lost",
        `${nothing}, and no sum of them is its Index. `]
      : `${bench.points(lost.reduce((sum, each) => sum + each.lost, 0))} of 100 points are lost${nothing}. `;
  }
  // Every scenario, the costliest first, with the scores of every run.
  function scenarios(site, at, model) {
    const lost = bench.losses(model);
    const rows = [...lost, ...model.cells.filter((cell) => !cell.points).map((cell) => ({ cell }))];
    const trial = (cell, { run, scores, share, word, asked }) => {
      const { title, scores: fields } = site.scenarios[cell.s];
      const given = raw(fields, scores);
      const label = `${title}, run ${run}: ${given}${word ? `, ${word}` : ""}`;
      const link = el("a", { href: own(at, cell, run), title: word, "aria-label": label }, given, bench.sign(word));
      return { value: share ?? null, cls: bench.shade(share), show: asked ? link : "–" };
    };
    const heads = [["Scenario", "text"], ...(site.variants ? [["Configuration", "text"]] : []),
      ...(lost.length ? [["Lost", "number", true], ["Of", "number", true], ["Worst run", "text"]] : []),
      ...model.runs.map(([run]) => [`Run ${run}`, "number"])];
    const words = model.cells.flatMap((cell) => cell.runs.map((each) => each.word));
    return section("losses", lost.length ? "Where it lost its points" : "Every scenario, every run",
      el("p", {}, loss(model, lost),
        "Each run has its scores as judged, coloured by the share of its points that it kept; ",
        `${bench.signs(words)}. Open one to read the conversation.`),
      bench.table("where it lost its points", heads, rows.map(({ cell, lost: points, worth, run }) => {
        const { experiment, scores } = site.scenarios[cell.s];
        const names = [experiment, ...scores.map((field) => field.name.replaceAll("_", " "))].join(" · ");
        const losses = !cell.points ? ["–", "–", "–"] : [
          { value: points, show: points ? [bench.points(points), bench.meter(points / lost[0].lost)] : "0" },
          { value: worth, show: bench.points(worth) },
          points ? el("a", { href: own(at, cell, run) }, `read run ${run}`) : "–",
        ];
        return [[bench.sceneLink(cell.s), el("small", { title: site.experiments[experiment] }, ` ${names}`)],
          ...(site.variants ? [`${cell.v}, ${cell.d}`] : []), ...(lost.length ? losses : []),
          ...cell.runs.map((each) => trial(cell, each))];
      })));
  }
  function components(site, model) {
    const rows = site.components.map(({ title, scale, meaning, weight, minimum, maximum, good }, place) => {
      const [mean, runs] = model.components[place];
      const cell = (value) => {
        if (value === null) return { value, cls: "none", show: "–" };
        const share = (value - minimum) / (maximum - minimum);
        return { value, cls: bench.shade(good === "high" ? share : 1 - share),
          show: maximum === 1 && !minimum ? `${number(100 * value)} %` : number(value, 2) };
      };
      return [el("span", { title: meaning }, title, el("small", {}, ` ${scale}`)),
        { value: weight, show: weight ? `${number(100 * weight, 0)} %` : "–" }, cell(mean), ...runs.map(cell)];
    });
    return section("components", "Components by run", bench.table("components by run",
      [["Component", "text"], ["Weight", "number", true], ["Mean", "number"],
        ...model.runs.map(([run]) => [`Run ${run}`, "number"])],
      [["Index", { value: 1, show: "" }, { value: model.index, show: el("b", {}, number(model.index)) },
        ...model.runs.map(([, value]) => ({ value, show: number(value) }))], ...rows]));
  }
  function rest(model) {
    const { names, health, missing } = model;
    const [generation, judging, failed] = model.cost.map((cost) => `${bench.dollars(cost)} USD`);
    return [
      names && el("section", {}, el("h2", {}, "What it calls itself"),
        el("p", {}, `In ${names.runs} ${names.runs === 1 ? "run" : "runs"}`,
          names.declined ? ` (it gave none in ${names.declined}): ` : ": ", names.names.length ? "" : "none",
          names.names.map(([name, runs], place) =>
            [place ? ", " : "", el("bdi", {}, name), el("small", {}, ` ×${runs}`)]), ".")),
      el("section", {}, el("h2", {}, "Health"),
        health.sound ? el("p", {}, `${health.answers} answers, nothing wrong with them.`)
          : el("ul", {}, health.counts.map(([what, count]) => el("li", {}, `${count} ${what}`))),
        health.repairs.map((command) => el("p", {}, "To fix it: ", el("code", {}, command))),
        health.remark && el("p", {}, health.remark),
        missing.length > 0 && el("details", {}, el("summary", {}, `${missing.length} trials are missing`),
          el("ul", {}, missing.map(([scenario, run, , , reason]) =>
            el("li", {}, `${scenario}, run ${run}: ${reason}`))))),
      model.again && el("section", {}, el("h2", {}, "How to reproduce this row"),
        el("p", {}, "This asks the same again, with the same texts and judges, into a store of your own:"),
        el("pre.prose.cite", {}, model.again)),
      el("section", {}, el("h2", {}, "Facts and cost"), el("dl.facts", {}, [
        ...model.facts.map(([name, value]) => [name, el("bdi", {}, value)]),
        ["generation", `${generation}, ${model.tokens.map((count) => count.toLocaleString("en")).join(" + ")} tokens`],
        ["judging", judging], ["failed attempts", failed],
      ].map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]))),
    ];
  }
  function beside(site, at) {
    const [above, model] = [site.models[at - 1], site.models[at]];
    const link = (a, b, ...words) => el("a", { href: bench.address("compare", { a, b }) }, ...words);
    return el("p", {}, "Compare it with ",
      above && above.contends && model.contends
        && [link(above.id, model.id, bench.named(above), ", the next above it"), ", or with "],
      link(model.id, null, "another model"), ".");
  }
  async function draw(given) {
    const site = bench.site();
    const at = bench.modelAt(given.get("m"));
    const model = await bench.load(`model-${at + 1}`);
    const listed = site.models[at];
    const indexed = site.components.length > 0;
    return [
      bench.crumbs(el("span", { "aria-current": "page" }, bench.named(listed))), el("h1", {}, bench.named(listed)),
      listed.warnings && el("p.note", {}, el("b", {}, "Before you rely on it: "), `${listed.warnings}.`),
      indexed && score(site, at, model), bench.kind.model ? null : numbers(model, listed), beside(site, at),
      ...(bench.kind.model ? bench.kind.model(site, at, model, numbers) : [scenarios(site, at, model)]),
      indexed && components(site, model), ...rest(model),
    ].filter(Boolean);
  }
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
