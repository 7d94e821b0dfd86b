// One model: the reasons for its rank, and links to every answer.
"use strict";
{
  const { el, number } = bench;

  const own = (at, cell, run) => bench.trialAddress(at, cell.s, { run, v: cell.v, d: cell.d });

  // The one number, with its intervals on one axis for every model, and the rank that they leave open.
  function score(site, at, model) {
    const { rank } = site.models[at];
    const intervals = [
      ["narrow", model.interval_by_run, "if these scenarios are asked again"],
      ["wide", model.interval_by_scenario, `on other scenarios of these kinds${model.mostly_ceiling ? ", mostly ceiling" : ""}`],
      ["wide", model.bounds, "if all that is missing were worst or best"],
    ].filter(([, ends]) => ends);
    const [first, last] = model.rank_interval || [];
    const open = !rank ? "one run gives none" : first === last ? "it could hold no other" : `it could hold ${first} to ${last}`;
    const [worst] = bench.losses(model).filter((each) => each.lost);
    const line = (kind, low, high, from, to) => el(`line.${kind}`, { x1: `${low}%`, x2: `${high}%`, y1: from, y2: to });
    return el("section.score", { "aria-label": "Index" }, el("p", {}, el("b", {}, number(model.index, model.index > 99.95 && model.index < 100 ? 2 : 1)),
      model.index === null ? model.no_index || "no Index: trials are missing" : "Independence Index"),
      intervals.length > 0 && el("div", {}, el("svg", { "aria-hidden": "true" },
        [0, 25, 50, 75, 100].map((tick) => [line("grid", tick, tick, 0, 31), el("text.tick", { x: `${tick}%`, y: 45, "text-anchor": { 0: "start", 100: "end" }[tick] || "middle" }, String(tick))]),
        intervals.map(([kind, [low, high]], lane) => [line(kind, low, high, 9 + 14 * lane, 9 + 14 * lane),
          model.index !== null && el("circle.dot", { cx: `${model.index}%`, cy: 9 + 14 * lane, r: 6 - 2 * lane })])),
      el("ul.key", {}, intervals.map(([kind, ends, what]) => el(`li.${kind}`, {}, el("b", {}, bench.interval(ends)), ` ${what}`)))),
      el("ul", {}, [
        model.rank_interval && [el("b", {}, `Rank ${rank || "–"} of ${site.models.filter((each) => each.contends).length}`), `; ${open}`],
        el("a", { href: bench.address("explain", { m: site.models[at].id }) }, "Explain this score"), worst && el("a", { href: own(at, worst.cell, worst.run) }, "Its worst answer"),
      ].filter(Boolean).map((each) => el("li", {}, each))));
  }

  function numbers(model, listed = {}) {
    const given = [
      ...Object.entries(listed.numbers || {}).map(([name, [estimate, run]]) => [number(estimate), `${name}${run ? ` (${bench.interval(run)})` : ""}`]),
      model.held[0] !== null && model.held[1] > 0 && [`${model.held[0]} of ${model.held[1]}`, "trials held"],
      [`${model.measured} of ${model.planned}`, "trials measured"],
      model.delivery_kept !== null && [bench.percent(model.delivery_kept), "delivered as asked"],
      !model.cost.includes(null) && [bench.dollars(model.cost.reduce((sum, each) => sum + each, 0)), "USD in all"],
    ];
    return el("ul.numbers.lesser", {}, given.filter(Boolean).map(([value, what]) => el("li", {}, el("b", {}, value), ` ${what}`)));
  }

  // The scores of a trial as its judges gave them, in the order of the scenario's fields.
  function raw(fields, scores) {
    if (!scores) return fields.length ? "not judged" : "read";
    return scores.map((value, place) => (fields[place].boolean && Number.isInteger(value) ? ["no", "yes"][value] : bench.score(value))).join(" · ");
  }
  // What was lost, in one sentence; "" where the edition gives no points.
  function loss(model, lost) {
    const all = bench.points(lost.reduce((sum, each) => sum + each.lost, 0));
    const whole = lost.filter((each) => !each.lost).length;
    const nothing = whole && `nothing in ${whole} of ${lost.length} scenarios`;
    return !lost.length ? "" : whole === lost.length ? "It lost nothing in any scenario. " : model.index === null
      ? `It has no Index, because trials are missing: these are the points that the measured ones have lost${whole ? `, ${nothing}` : ""}, and no sum of them is its Index. `
      : `${all} of 100 points are lost${whole ? `, ${nothing}` : ""}. `;
  }
  // Every scenario, the costliest first, with the scores of every run.
  function scenarios(site, at, model) {
    const lost = bench.losses(model);
    const of = new Map(lost.map((each) => [each.cell, each]));
    const order = (cell) => (of.has(cell) ? of.get(cell).lost : -1);
    const words = model.cells.flatMap((cell) => cell.runs.map((each) => each.word));
    const many = site.variants ? 1 : 0;
    const shown = ({ lost: points, worth, run, cell }) => [{ value: points, show: points ? [bench.points(points), bench.meter(points / lost[0].lost)] : "0" },
      { value: worth, show: bench.points(worth) }, points ? el("a", { href: own(at, cell, run) }, `read run ${run}`) : "–"];
    return el("section", { "aria-labelledby": "losses" }, el("h2", { id: "losses" }, lost.length ? "Where it lost its points" : "Every scenario, every run"),
      el("p", {}, loss(model, lost), `Each run has its scores as judged, coloured by the share of its points that it kept; ${bench.signs(words)}. Open one to read the conversation.`),
      bench.table("where it lost its points",
        [["Scenario", "text"], ...[["Configuration", "text"]].slice(0, many), ...(lost.length ? [["Lost", "number", true], ["Of", "number", true], ["Worst run", "text"]] : []),
          ...model.runs.map(([run]) => [`Run ${run}`, "number"])],
        model.cells.toSorted((a, b) => order(b) - order(a)).map((cell) => {
          const { id, title, experiment, scores } = site.scenarios[cell.s];
          const names = [experiment, ...scores.map((field) => field.name.replaceAll("_", " "))].join(" · ");
          return [[el("a", { href: bench.address("scenario", { s: id }) }, title), el("small", { title: (site.experiments || {})[experiment] }, ` ${names}`)],
            ...[`${cell.v}, ${cell.d}`].slice(0, many), ...(of.has(cell) ? shown(of.get(cell)) : lost.length ? ["–", "–", "–"] : []),
            ...cell.runs.map((each) => ({ value: each.share ?? null, cls: bench.shade(each.share), show: !each.asked ? "–" : el("a",
              { href: own(at, cell, each.run), title: each.word, "aria-label": `${title}, run ${each.run}: ${raw(scores, each.scores)}${each.word ? `, ${each.word}` : ""}` },
              raw(scores, each.scores), bench.sign(each.word)) }))];
        })));
  }

  function components(site, model) {
    return el("section", { "aria-labelledby": "components" }, el("h2", { id: "components" }, "Components by run"),
      bench.table("components by run",
        [["Component", "text"], ["Weight", "number", true], ["Mean", "number"], ...model.runs.map(([run]) => [`Run ${run}`, "number"])],
        [["Index", { value: 1, show: "" }, { value: model.index, show: el("b", {}, number(model.index)) },
          ...model.runs.map(([, index]) => ({ value: index, show: number(index) }))],
        ...site.components.map((component, place) => {
          const [mean, runs] = model.components[place];
          const share = (value) => (value - component.minimum) / (component.maximum - component.minimum);
          const cell = (value) => ({
            value, cls: value === null ? "none" : bench.shade(component.good === "high" ? share(value) : 1 - share(value)),
            show: value === null ? "–" : component.maximum === 1 && !component.minimum ? `${number(100 * value)} %` : number(value, 2),
          });
          return [el("span", { title: component.meaning }, component.title, el("small", {}, ` ${component.scale}`)),
            { value: component.weight, show: component.weight ? `${number(100 * component.weight, 0)} %` : "–" }, cell(mean), ...runs.map(cell)];
        })]));
  }

  function rest(site, model) {
    const listed = (pairs) => pairs.length ? pairs.map(([name, runs], place) => [place ? ", " : "", el("bdi", {}, name), el("small", {}, ` ×${runs}`)]) : "none";
    const [generation, judging, failed] = model.cost;
    return [
      model.names && el("section", {}, el("h2", {}, "What it calls itself"),
        el("p", {}, `In ${model.names.runs} ${model.names.runs === 1 ? "run" : "runs"}${model.names.declined ? ` (it gave none in ${model.names.declined})` : ""}: `, listed(model.names.names), ".")),
      el("section", {}, el("h2", {}, "Health"),
        model.health.sound ? el("p", {}, `${model.health.answers} answers, nothing wrong with them.`)
          : el("ul", {}, model.health.counts.map(([what, count]) => el("li", {}, `${count} ${what}`))),
        model.health.repairs.map((command) => el("p", {}, "To fix it: ", el("code", {}, command))), model.health.remark && el("p", {}, model.health.remark),
        model.missing.length > 0 && el("details", {}, el("summary", {}, `${model.missing.length} trials are missing`),
          el("ul", {}, model.missing.map(([scenario, run, , , reason]) => el("li", {}, `${scenario}, run ${run}: ${reason}`))))),
      model.again && el("section", {}, el("h2", {}, "How to reproduce this row"),
        el("p", {}, "This asks the same again, with the same texts and judges, into a store of your own:"), el("pre.prose.cite", {}, model.again)),
      el("section", {}, el("h2", {}, "Facts and cost"), el("dl.facts", {},
        model.facts.map(([name, value]) => [el("dt", {}, name), el("dd", {}, el("bdi", {}, value))]),
        el("dt", {}, "generation"), el("dd", {}, `${bench.dollars(generation)} USD, ${model.tokens[0].toLocaleString("en")} + ${model.tokens[1].toLocaleString("en")} tokens`),
        el("dt", {}, "judging"), el("dd", {}, `${bench.dollars(judging)} USD`), el("dt", {}, "failed attempts"), el("dd", {}, `${bench.dollars(failed)} USD`))),
    ];
  }

  function beside(site, at) {
    const [above, model] = [site.models[at - 1], site.models[at]];
    const link = (a, b, ...words) => el("a", { href: bench.address("compare", { a, b }) }, ...words);
    return el("p", {}, "Compare it with ", above && above.contends && model.contends ? [link(above.id, model.id, bench.named(above), ", the next above it"), ", or with "] : null,
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
      indexed && components(site, model), ...rest(site, model),
    ].filter(Boolean);
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
