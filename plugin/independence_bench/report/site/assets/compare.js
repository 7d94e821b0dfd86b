// Two to five sides of one scenario: models, runs of one, or judges of one trial; who is above, how sure, and why.
"use strict";
{
  const { el, named, number } = bench;
  const site = bench.site();
  const SIDES = ["a", "b", "c", "d", "e"];
  function side(given, key) {
    const run = given.has(`r${key}`) ? Number(given.get(`r${key}`)) : null;
    const judge = Number.parseInt(given.get(`j${key}`), 10);
    return { model: bench.modelAt(given.get(key)), run, judge: site.judges[judge] ? judge : null };
  }
  function address(sides, scenario, more) {
    const fields = sides.map(({ model, run, judge }, place) =>
      ({ [SIDES[place]]: site.models[model].id, [`r${SIDES[place]}`]: run, [`j${SIDES[place]}`]: judge }));
    return bench.address("compare", Object.assign({ s: site.scenarios[scenario].id }, ...fields, more));
  }
  // Nothing moves before the reader says so: the keyboard cannot walk through a select that leads away by itself.
  function form(sides, scenario) {
    const choose = (label, key, pairs, chosen) => el("label", {}, label,
      Object.assign(bench.select(`choose-${key}`, pairs, chosen), { name: key }));
    const judges = [["", "all judges"], ...site.judges.map((judge, at) => [at, judge.label])];
    const fieldset = (each, place) => {
      const [key, model] = [SIDES[place], site.models[each.model]];
      const runs = Array.from({ length: model.runs }, (_, run) => [run + 1, `run ${run + 1}`]);
      const label = sides.length > 2 ? `Model ${place + 1}` : ["Left", "Right"][place];
      return el("fieldset.side", {}, el("legend.unseen", {}, `Side ${place + 1}`),
        el("label", {}, label, bench.chooser(`choose-${key}`, each.model)),
        runs.length > 1 && choose("Run", `r${key}`, runs, each.run ?? 1),
        site.judges.length > 1 && choose("Judge", `j${key}`, judges, each.judge),
        sides.length > 2 && el("a.button", { href: address(sides.filter((other) => other !== each), scenario),
          "aria-label": bench.visible(`Take ${bench.called(model)} away`) }, "×"));
    };
    const next = site.models.findIndex((model, place) =>
      !model.configuration && !sides.some((each) => each.model === place));
    const made = el("form.filters.sides", { "aria-label": "What is compared" },
      choose("Scenario", "s", site.scenarios.map((each) => [each.id, each.title]), site.scenarios[scenario].id),
      sides.map(fieldset), el("button", { type: "submit" }, "Compare"),
      sides.length < SIDES.length && next >= 0 &&
        el("a.button", { href: address([...sides, { model: next }], scenario) }, "Add a model"));
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = Object.fromEntries(new FormData(made));
      for (const [place, each] of sides.entries()) {
        const key = SIDES[place];
        const chosen = bench.chosenModel(fields[key]) ?? each.model;
        if (chosen !== each.model) delete fields[`r${key}`]; // a run of another model
        if (chosen >= 0) fields[key] = site.models[chosen].id;
      }
      bench.go("compare", { ...fields, diff: bench.parameters().get("diff") });
    });
    return made;
  }
  // What to know before any number: of the judges, then of the models.
  function doubts(models) {
    const warned = models.filter((model) => model.warnings).map((model) => [named(model), `: ${model.warnings}.`]);
    const lines = [...site.doubts, ...warned].map((each) => el("li", {}, each));
    return lines.length > 0 && el("ul.note", {}, lines);
  }
  function sure(places, found) {
    const ranked = places.filter((place) => Number.isFinite(site.models[place].index));
    if (ranked.length < 2) return null;
    const models = ranked.map((place) => site.models[place]);
    const [one, other] = models.map((model) => [named(model), ` (${number(model.index)})`]);
    const gap = models[0].index - models[1].index;
    const level = Math.abs(gap) < 0.05 ? "level with" : gap > 0 ? "above" : "below";
    const by = (ends, what) => ends && ` (${bench.interval(ends)} by ${what})`;
    const estimate = ([value, run, scenario]) => [` ${number(value)}`, by(run, "run") || by(scenario, "scenario")];
    return bench.section("sure", "Who is above, and how sure",
      ranked.length === 2 && el("p", {}, one, ` is ${level} `, other, " by ",
        el("b", {}, `${number(Math.abs(gap))} points`), ". ", pairs.told(found, site, ...ranked)),
      Object.keys(models[0].numbers || {}).map((head) => el("p", {}, `${head}: `,
        models.map((model, at) => [at ? ", " : "", named(model), estimate(model.numbers[head])]), ".")),
      ranked.length > 2 && [pairs.matrix(found, site, ranked), pairs.key()],
      el("p.aside", {}, el("a", { href: "figures.html#wins" }, "Every pair of the board")),
      found.left_out > 0 && el("p.aside", {}, "Pairs are compared beforehand for the first ",
        `${found.models.length} ranked models; ${found.left_out} more are left out.`));
  }
  // Points of the Index in every scenario that all have: what puts one above the other, the largest differences first.
  function differing(models) {
    const points = models.map(({ cells }) =>
      new Map(cells.filter((cell) => cell.points).map((cell) => [cell.s, cell.points])));
    return [...points[0].keys()].filter((s) => points.every((each) => each.has(s))).map((s) => {
      const own = points.map((each) => each.get(s)[0]);
      return { s, own, worth: points[0].get(s)[1], apart: Math.max(...own) - Math.min(...own) };
    }).sort((a, b) => b.apart - a.apart);
  }
  function deciding(sides, rows) {
    if (!rows.length) return el("p.note", {}, "One of them has no Index, so their points cannot be compared.");
    const sum = (some) => some.reduce((all, row) => all + row.apart, 0);
    const half = rows.findIndex((_, at) => sum(rows.slice(0, at + 1)) >= sum(rows) / 2) + 1;
    const points = (value, worth) => ({ value, show: value.toFixed(2), cls: bench.shade(value / (worth || 1)) });
    const spread = ({ apart }) => ({ value: apart, show: el("b", {}, apart.toFixed(2)) });
    const difference = ({ own: [a, b] }) => ({ value: a - b, show: el("b", {}, bench.signed(a - b, 2)),
      cls: bench.shade(0.5 + 0.5 * (a - b) / (rows[0].apart || 1)) });
    const [head, apart] = sides.length === 2 ? ["Difference", difference] : ["Spread", spread];
    const makes = half === 1 ? "One scenario makes" : `${half} scenarios make`;
    return bench.section("apart", "Largest differences",
      el("p", {}, sum(rows) === 0 ? "They have the same points in every scenario." : [makes, " up half of all ",
        "differences. Points of the Index by scenario, the largest difference first:"]),
      bench.table("largest differences",
        [["Scenario", "text"], ...[head, ...sides.map(({ model }) => bench.called(site.models[model])), "Worth"]
          .map((words) => [words, "number", true]), ["Answers", "text"]],
        rows.map((row) => [bench.sceneLink(row.s), apart(row), ...row.own.map((value) => points(value, row.worth)),
          { value: row.worth, show: row.worth.toFixed(2) },
          el("a", { href: address(sides.map((each) => ({ ...each, run: null })), row.s) }, "read")])));
  }
  function heading(scenario, { model, trial }) {
    const to = { href: bench.modelAddress(model), title: bench.visible(site.models[model].label) };
    return el("header", {}, el("h3", {}, el("a", to, named(site.models[model]))),
      trial ? el("p.aside", {}, el("a", { href: bench.trialAddress(model, scenario, trial) },
        `run ${trial.run}${bench.condition(model, trial)}`), " ", conversation.outcome(trial))
        : el("p.note", {}, "It has no such trial."));
  }
  // The same question in one row, the answers next to each other.
  function aligned(columns, marked) {
    const turn = (kind, who, beside, text) => el(`article.turn.${kind}`, {},
      el("header", {}, el("strong", {}, who), beside), text);
    const first = columns.find(({ trial }) => trial?.said?.opening?.length);
    const rows = first ? [el("div.shared", {}, el("details", {},
      el("summary", {}, "The scripted opening, the same for all of them"),
      first.trial.said.opening.map(([speaker, text]) =>
        conversation.turn(speaker, [conversation.scripted], bench.prose(first.texts[text])))))] : [];
    const most = Math.max(...columns.map(({ said }) => said.length));
    for (let at = 0; at < most; at += 1) {
      const row = columns.map(({ said }) => said[at]);
      const asked = row.filter(Boolean).map(([question]) => question);
      const same = new Set(asked).size === 1;
      const human = (question) =>
        turn("human", "Human", el("small", {}, `question ${at + 1} of ${most}`), bench.prose(question));
      if (same) rows.push(el("div.shared", {}, human(asked[0])));
      const both = marked && row.every(Boolean);
      const parts = both ? differences.words(row[0][1], row[1][1]) : null;
      rows.push(el("div.row", {}, columns.map(({ model, trial }, place) => {
        if (!row[place]) return el("div", {}, el("p.aside", {}, "No answer here."));
        const [question, answer] = row[place];
        return el("div", {}, !same && human(question),
          turn("model", bench.called(site.models[model]), el("small", {}, `run ${trial.run}`),
            !answer ? el("p.aside", {}, "It answered with nothing.")
              : parts ? differences.drawn(parts[place]) : markdown.answer(answer)));
      })));
      if (both && !parts) rows.push(el("p.aside.shared", {},
        "These two answers share too little, or are too long, for their differences to be marked."));
    }
    return rows;
  }

  async function draw(given, moved) {
    const none = !given.has("a") && !given.has("b") && site.components.length > 0;
    const pair = none && pairs.largest(await bench.load("pairs"), site);
    if (pair) pair.forEach((place, at) => given.set(SIDES[at], site.models[place].id));
    if (!given.has("a")) given.set("a", site.models[0].id);
    const other = bench.modelAt(given.get("a")) === 0 && site.models.length > 1 ? 1 : 0;
    if (!given.has("b")) given.set("b", site.models[other].id);
    const sides = SIDES.filter((key) => given.has(key)).map((key) => side(given, key));
    const places = [...new Set(sides.map((each) => each.model))];
    const several = places.length > 1;
    const models = several ? await Promise.all(sides.map((each) => bench.load(`model-${each.model + 1}`))) : [];
    const rows = several ? differing(models) : [];
    const apart = (rows[0] || models[0]?.cells.find((cell) => cell.points))?.s ?? 0;
    const at = given.has("s") ? bench.scenarioAt(given.get("s")) : apart;
    const columns = await Promise.all(sides.map(async (each) => {
      const { texts, trials } = await conversation.trialsOf(each.model, at);
      const trial = conversation.find(trials, at, each.run);
      const said = (trial?.said?.exchanges || []).map(({ asked, answer }) => [texts[asked], answer ?? ""]);
      return { ...each, texts, trial, said };
    }));
    const two = sides.length === 2;
    const inRows = !bench.kind.conversation && !columns.some(({ trial }) => trial?.items); // no interviews, no trees
    // Two runs of one model share most of their words; of two models nearly all would be marked, so the reader decides.
    const wanted = (given.get("diff") ?? (several ? "0" : "1")) === "1";
    const marked = inRows && two && wanted && columns.every(({ trial }) => trial);
    const verdicts = ({ trial, texts, judge }) => trial && conversation.verdicts(trial, texts, judge);
    const [one, next] = sides.map(({ model }) => named(site.models[model]));
    return [
      el("h1", {}, two ? [one, " next to ", several ? next : "itself"] : `${sides.length} models side by side`),
      form(sides, at), doubts(places.map((place) => site.models[place])),
      several && !bench.kind.compare && site.components.length > 0 && sure(places, await bench.load("pairs")),
      several && (bench.kind.compare ? bench.kind.compare(site, sides.slice(0, 2), models.slice(0, 2))
        : deciding(sides, rows)),
      el("h2", { "data-scroll": moved && given.has("s") }, "In ", bench.sceneLink(at)), inRows && el("p", {},
        two && [el("a.button", { href: address(sides, at, { diff: marked ? "0" : "1" }) },
          marked ? "Do not mark differences" : "Mark words that the other does not have"), " "],
        !marked && markdown.button()),
      el("div.aligned", { "data-sides": sides.length },
        el("div.row.heads", {}, columns.map((own) => heading(at, own))), inRows && aligned(columns, marked),
        el("div.row", {}, columns.map((own) => (inRows ? verdicts(own) || el("div", {})
          : el("div.turns", {}, own.trial && conversation.body(own.trial, own.texts), verdicts(own)))))),
    ].filter(Boolean);
  }
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
