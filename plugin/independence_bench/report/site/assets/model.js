// One model: the reasons for its rank, and links to every answer.
"use strict";
{
  const { el, number } = bench;

  function own(site, at, cell, run) {
    return bench.trialAddress(at, cell.s, { run, v: cell.v, d: cell.d });
  }

  function site_has_index() {
    return bench.site().components.length > 0;
  }

  function numbers(model, listed = {}) {
    const given = [
      site_has_index() && [model.index === null ? "–" : number(model.index), "Index"],
      model.bounds && [bench.interval(model.bounds), "Index between, if all that is missing were worst or best"],
      model.interval_by_run && [bench.interval(model.interval_by_run), "if these scenarios are asked again"],
      model.interval_by_scenario && [bench.interval(model.interval_by_scenario), `on other scenarios of these kinds${model.mostly_ceiling ? ", mostly ceiling" : ""}`],
      ...Object.entries(listed.numbers || {}).map(([name, [estimate, run]]) => [number(estimate), `${name}${run ? ` (${bench.interval(run)})` : ""}`]),
      model.rank_interval && [`${listed.rank || "–"} of ${bench.site().models.filter((each) => each.contends).length}`, !listed.rank ? "rank: one run gives none" : model.rank_interval[0] === model.rank_interval[1] ? "rank; it could hold no other" : `rank; it could hold ${model.rank_interval[0]} to ${model.rank_interval[1]}`],
      model.held[0] !== null && model.held[1] > 0 && [`${model.held[0]} of ${model.held[1]}`, "trials held"],
      [`${model.measured} of ${model.planned}`, "trials measured"],
      model.delivery_kept !== null && [bench.percent(model.delivery_kept), "delivered as asked"],
    ];
    return el("ul.numbers", {}, given.filter(Boolean).map(([value, what]) => el("li", {}, el("b", {}, value), what)));
  }

  function losses(site, at, model) {
    const lost = bench.losses(model);
    if (!lost.length) return null;
    const all = lost.reduce((sum, each) => sum + each.lost, 0);
    const seen = lost.filter((each) => each.lost);
    const whole = lost.length - seen.length;
    const rest = !whole ? "" : !seen.length ? "It lost nothing in any scenario." : `It lost nothing in the other ${whole === 1 ? "scenario" : `${whole} scenarios`}.`;
    return el("section", { "aria-labelledby": "losses" }, el("h2", { id: "losses" }, "Where it lost its points"),
      el("p", {}, model.index === null ? "It has no Index, because trials are missing: these are the points that the measured ones have lost, and no sum of them is its Index. "
        : seen.length ? `${bench.points(all)} of 100 points are lost, in these scenarios. ` : "", seen.length ? "The link leads to the run that lost the most. " : "", rest),
      seen.length > 0 && bench.table("where it lost its points", [["Scenario", "text"], ["Lost", "number", true], ["Worst run", "text"], ["Got", "number", true], ["Worth", "number", true]],
        seen.map((each) => [
          el("a", { href: bench.address("scenario", { s: site.scenarios[each.cell.s].id }) }, site.scenarios[each.cell.s].title),
          { value: each.lost, show: [bench.points(each.lost), bench.meter(all ? each.lost / lost[0].lost : 0)] },
          el("a", { href: own(site, at, each.cell, each.run) }, `read run ${each.run}`, el("small", {}, ` (${number(each.least, 2)} points)`)),
          { value: each.gave, show: number(each.gave, 2) }, { value: each.worth, show: number(each.worth, 2) },
        ])));
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

  function scenarios(site, at, model) {
    const experiments = [...new Set(model.cells.map((cell) => site.scenarios[cell.s].experiment))];
    return el("section", { "aria-labelledby": "scenarios" }, el("h2", { id: "scenarios" }, "Every scenario, every run"),
      el("p", {}, `Each cell is the share of its points of the Index that a trial kept; ${bench.signs(model.cells.flatMap((cell) => cell.runs.map((each) => each.word)))}. Open it to read the conversation.`),
      experiments.map((experiment) => [el("h3", {}, experiment, (site.experiments || {})[experiment] && el("small", {}, ` ${site.experiments[experiment]}`)),
        of_experiment(site, at, model, experiment)]));
  }
  function of_experiment(site, at, model, experiment) {
    const many = site.variants;
    return bench.table(`scenarios by run, ${experiment}`,
        [["Scenario", "text"], ...(many ? [["Configuration", "text"]] : []), ["Mean", "number", true], ...model.runs.map(([run]) => [`Run ${run}`, "number"])],
        model.cells.filter((cell) => site.scenarios[cell.s].experiment === experiment).map((cell) => {
          const shares = cell.runs.map((each) => each.share).filter((share) => share !== undefined);
          const mean = shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null;
          const field = site.scenarios[cell.s].scores[0];
          return [
            el("a", { href: bench.address("scenario", { s: site.scenarios[cell.s].id }) }, site.scenarios[cell.s].title),
            ...(many ? [`${cell.v}, ${cell.d}`] : []),
            { value: mean, show: bench.percent(mean) },
            ...cell.runs.map((each) => ({
              value: each.share ?? null, cls: bench.shade(each.share),
              show: !each.asked ? "–" : el("a", {
                href: own(site, at, cell, each.run),
                "aria-label": `${site.scenarios[cell.s].title}, run ${each.run}: ${each.scores ? `${field.name.replaceAll("_", " ")} ${bench.score(each.scores[0])} of ${field.maximum}` : "not judged"}`,
                title: each.scores ? site.scenarios[cell.s].scores.map((score, place) => `${score.name.replaceAll("_", " ")} ${bench.score(each.scores[place])}`).join(" · ") : null,
              }, each.share !== undefined ? bench.percent(each.share) : field ? "unjudged" : "read", bench.sign(each.word)),
            })),
          ];
        }));
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
    const field = bench.chooser("beside", null);
    const compare = (event) => {
      event.preventDefault();
      const other = bench.chosenModel(field[0].value);
      if (other !== null && other >= 0) bench.go("compare", { a: site.models[at].id, b: site.models[other].id });
    };
    const above = site.models[at - 1];
    return el("form.compare-with", { onsubmit: compare }, el("label", {}, "Compare with ", field), " ", el("button.quiet", { type: "submit" }, "Compare"),
      above && above.contends && site.models[at].contends ? [" or ", el("a", { href: bench.address("compare", { a: above.id, b: site.models[at].id }) }, "with ", bench.named(above), ", the next above it")] : null);
  }

  async function draw(given) {
    const site = bench.site();
    const at = bench.modelAt(given.get("m"));
    const model = await bench.load(`model-${at + 1}`);
    return [bench.crumbs(el("span", { "aria-current": "page" }, bench.named(site.models[at]))),
      el("h1", {}, bench.named(site.models[at])), bench.kind.model ? null : numbers(model, site.models[at]), site.components.length ? el("p", {}, el("a.button", { href: bench.address("explain", { m: site.models[at].id }) }, "Explain this score")) : null,
      site.models[at].warnings && el("p.note", {}, `Before you rely on it: ${site.models[at].warnings}.`), beside(site, at), losses(site, at, model),
      site.components.length ? components(site, model) : null, ...(bench.kind.model ? bench.kind.model(site, at, model, numbers) : [scenarios(site, at, model)]), ...rest(site, model)].filter(Boolean);
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
