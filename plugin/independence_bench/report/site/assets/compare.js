// Two sides of one scenario: two models, two runs of one, or two judges of one trial; and the differences between two models.
"use strict";
{
  const { el, number } = bench;
  const SIDES = ["a", "b"];

  function options(pairs, chosen) {
    return pairs.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) || null }, text));
  }

  function side(site, given, name) {
    const model = bench.modelAt(given.get(name));
    const judge = given.get(`j${name}`);
    return {
      name, model, run: given.has(`r${name}`) ? Number(given.get(`r${name}`)) : null,
      judge: !judge || !site.judges[Number(judge)] ? null : Number(judge),
    };
  }

  function form(site, given, sides, scenario) {
    const fields = { s: site.scenarios[scenario].id };
    for (const each of sides) Object.assign(fields, { [each.name]: site.models[each.model].id, [`r${each.name}`]: each.run, [`j${each.name}`]: each.judge });
    const choose = (label, key, pairs, chosen) => {
      const select = el("select", { id: `choose-${key}` }, options(pairs, chosen));
      select.addEventListener("change", () => {
        const next = { ...fields, [key]: select.value };
        if (SIDES.includes(key)) delete next[`r${key}`];
        bench.go("compare", next);
      });
      return el("label", {}, label, select);
    };
    return el("div.filters", {},
      choose("Scenario", "s", site.scenarios.map((each) => [each.id, each.title]), fields.s),
      sides.map((each, place) => el("div.side", {},
        choose(place ? "Right" : "Left", each.name, site.models.map((model) => [model.id, `${model.rank ? `${model.rank}. ` : ""}${model.label}${model.configuration ? ` (${model.configuration})` : ""}`]), fields[each.name]),
        choose("Run", `r${each.name}`, Array.from({ length: site.models[each.model].runs }, (_, run) => [run + 1, `run ${run + 1}`]), each.run ?? 1),
        site.judges.length > 1 ? choose("Judge", `j${each.name}`, [["", "all judges"], ...site.judges.map((judge, at) => [at, judge.label])], each.judge ?? "") : null,
      )));
  }

  // What to know before any number: of the judges, then of the two models.
  function doubts(site, sides) {
    const models = [...new Set(sides.map((each) => each.model))].map((at) => site.models[at]).filter((model) => model.warnings);
    const told = [...site.doubts, ...models.map((model) => [el("bdi", {}, model.label), `: ${model.warnings}.`])];
    return told.length ? el("ul.note", {}, told.map((each) => el("li", {}, each))) : null;
  }

  // How sure the difference is: reckoned beforehand for neighbours in the ranking, by the command for all others.
  function sure(site, sides, [one, other]) {
    const [first, second] = sides.map((each) => site.models[each.model].id);
    const below = one.below.find(([id]) => id === second);
    const above = other.below.find(([id]) => id === first);
    const ends = below ? [below[1], below[2]] : above ? [-above[2], -above[1]] : null;
    if (!ends) return ["The command ", el("code", {}, "independence-bench compare"), " gives the confidence interval. "];
    const told = ends[0] > 0 || ends[1] < 0 ? "the difference is significant" : "with other scenarios of these kinds there may be no difference";
    return `Between ${bench.signed(ends[0])} and ${bench.signed(ends[1])} with ${Math.round(100 * site.confidence)} % by scenario: ${told}. `;
  }

  // Differences in Index points by scenario: what puts one above the other, the largest first.
  function apart(site, sides, models) {
    const [one, other] = models;
    const points = (model) => new Map(model.cells.filter((cell) => cell.points).map((cell) => [cell.s, cell]));
    const [left, right] = [points(one), points(other)];
    const shared = [...left.keys()].filter((key) => right.has(key));
    if (bench.kind.compare) return bench.kind.compare(site, sides, models);
    if (!shared.length) return el("p.note", {}, "One of them has no Index, so their points cannot be compared.");
    const rows = shared.map((s) => ({ s, a: left.get(s), b: right.get(s), difference: left.get(s).points[0] - right.get(s).points[0] }))
      .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
    const signed = (value) => bench.signed(value, 2);
    const total = one.index - other.index;
    const [label, label_other] = sides.map((each) => site.models[each.model].label);
    return el("section", { "aria-labelledby": "apart" }, el("h2", { id: "apart" }, "Largest differences"),
      el("p", {}, el("bdi", {}, label), ` ${number(one.index)}, `, el("bdi", {}, label_other), ` ${number(other.index)}: a difference of ${bench.signed(total)} points. `, sure(site, sides, models),
        one.tier && one.tier === other.tier ? "They share a tier by run: with these scenarios asked again their order may change. " : "",
        "Each scenario's share of the difference, the largest first:"),
      bench.table("largest differences", [["Scenario", "text"], ["Difference", "number", true], [label, "number", true], [label_other, "number", true], ["Worth", "number", true], ["Answers", "text"]],
        rows.map((row) => [
          el("a", { href: bench.address("scenario", { s: site.scenarios[row.s].id }) }, site.scenarios[row.s].title),
          { value: row.difference, show: el("b", {}, signed(row.difference)) },
          { value: row.a.points[0], show: number(row.a.points[0], 2) }, { value: row.b.points[0], show: number(row.b.points[0], 2) },
          { value: row.a.points[1], show: number(row.a.points[1], 2) },
          el("a", { href: bench.address("compare", { s: site.scenarios[row.s].id, a: site.models[sides[0].model].id, b: site.models[sides[1].model].id }) }, "read both"),
        ])));
  }

  async function column(site, each, scenario) {
    const { texts, trials } = await conversation.trialsOf(each.model, scenario);
    const trial = conversation.find(trials, scenario, each.run) || conversation.find(trials, scenario, null);
    const heading = (run) => el("h2", {}, el("a", { href: bench.address("model", { m: site.models[each.model].id }) }, el("bdi", {}, site.models[each.model].label)),
      run ? [", ", el("a", { href: bench.trialAddress(each.model, scenario, trial) }, `run ${run}`)] : null);
    if (!trial || (each.run !== null && trial.run !== each.run)) return el("section", {}, heading(null), el("p.note", {}, "It has no such trial."));
    const turns = conversation.body(trial, texts);
    return el("section", {}, heading(trial.run), conversation.verdicts(trial, texts, each.judge), el("div.turns", {}, turns.filter((turn) => !turn.classList.contains("put") && !turn.classList.contains("system"))));
  }

  async function draw(given, moved) {
    const site = bench.site();
    const first = site.models[0].id;
    if (!given.has("a")) given.set("a", first);
    if (!given.has("b")) given.set("b", (site.models.find((each) => each.id !== site.models[bench.modelAt(given.get("a"))].id) || site.models[0]).id);
    const sides = SIDES.map((name) => side(site, given, name));
    const scenario = given.has("s") ? bench.scenarioAt(given.get("s")) : null;
    const [one, other] = sides;
    const models = one.model === other.model ? null : await Promise.all(sides.map((each) => bench.load(`model-${each.model + 1}`)));
    // Without a scenario in the address: the one with the largest difference.
    let at = scenario ?? 0;
    if (scenario === null && models) {
      const gaps = models[0].cells.filter((cell) => cell.points).map((cell) => {
        const twin = models[1].cells.find((each) => each.s === cell.s && each.points);
        return [twin ? Math.abs(cell.points[0] - twin.points[0]) : -1, cell.s];
      });
      if (gaps.length) at = gaps.reduce((most, each) => each[0] > most[0] ? each : most)[1];
    }
    const columns = await Promise.all(sides.map((each) => column(site, each, at)));
    return [
      el("h1", {}, el("bdi", {}, site.models[one.model].label), " next to ", one.model === other.model ? "itself" : el("bdi", {}, site.models[other.model].label)),
      form(site, given, sides, at), doubts(site, sides), models && apart(site, sides, models),
      el("h2", { "data-scroll": moved && scenario !== null }, "In ", el("a", { href: bench.address("scenario", { s: site.scenarios[at].id }) }, site.scenarios[at].title)),
      el("div.columns", {}, columns),
    ].filter(Boolean);
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
