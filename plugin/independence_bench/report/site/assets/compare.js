// Two to five sides of one scenario: models, runs of one, or judges of one trial; who is above, how sure, and what decides.
"use strict";
{
  const { el, number } = bench;
  const SIDES = ["a", "b", "c", "d", "e"];
  const { name } = facets;

  function side(site, given, key) {
    const judge = given.get(`j${key}`);
    return {
      key, model: bench.modelAt(given.get(key)), run: given.has(`r${key}`) ? Number(given.get(`r${key}`)) : null,
      judge: !judge || !site.judges[Number(judge)] ? null : Number(judge),
    };
  }
  function fieldsOf(site, sides, scenario) {
    const fields = { s: scenario === null ? null : site.scenarios[scenario].id };
    for (const [place, each] of sides.entries()) {
      const key = SIDES[place];
      Object.assign(fields, { [key]: site.models[each.model].id, [`r${key}`]: each.run, [`j${key}`]: each.judge });
    }
    return fields;
  }

  // Nothing moves before the reader says so: a select that leads away by itself cannot be walked through with the keyboard.
  function form(site, sides, scenario) {
    const choose = (label, key, pairs, chosen) => el("label", {}, label, el("select", { name: key, id: `choose-${key}` },
      pairs.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) || null }, text))));
    const without = (place) => bench.address("compare", fieldsOf(site, sides.filter((_, at) => at !== place), scenario));
    const next = site.models.findIndex((model, place) => !sides.some((each) => each.model === place) && !model.configuration);
    const made = el("form.filters.sides", { "aria-label": "What is compared" },
      choose("Scenario", "s", site.scenarios.map((each) => [each.id, each.title]), site.scenarios[scenario].id),
      sides.map((each, place) => el("fieldset.side", {}, el("legend.unseen", {}, `Side ${place + 1}`),
        el("label", {}, sides.length > 2 ? `Model ${place + 1}` : place ? "Right" : "Left", bench.chooser(`choose-${SIDES[place]}`, each.model)),
        site.models[each.model].runs > 1 ? choose("Run", `r${SIDES[place]}`, Array.from({ length: site.models[each.model].runs }, (_, run) => [run + 1, `run ${run + 1}`]), each.run ?? 1) : null,
        site.judges.length > 1 ? choose("Judge", `j${SIDES[place]}`, [["", "all judges"], ...site.judges.map((judge, at) => [at, judge.label])], each.judge ?? "") : null,
        sides.length > 2 ? el("a.button", { href: without(place), "aria-label": bench.visible(`Take ${name(site.models[each.model])} away`) }, "×") : null)),
      el("button", { type: "submit" }, "Compare"),
      sides.length < SIDES.length && next >= 0 ? el("a.button", { href: bench.address("compare", fieldsOf(site, [...sides, { model: next, run: null, judge: null }], scenario)) }, "Add a model") : null);
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = Object.fromEntries(new FormData(made));
      for (const each of sides) {
        const chosen = bench.chosenModel(fields[each.key]) ?? each.model;
        if (chosen !== each.model) delete fields[`r${each.key}`]; // a run of another model
        fields[each.key] = (site.models[chosen] || { id: fields[each.key] }).id;
      }
      const kept = bench.parameters().get("diff");
      bench.go("compare", kept ? { ...fields, diff: kept } : fields);
    });
    return made;
  }

  // What to know before any number: of the judges, then of the models.
  function doubts(site, sides) {
    const models = [...new Set(sides.map((each) => each.model))].map((at) => site.models[at]).filter((model) => model.warnings);
    const told = [...site.doubts, ...models.map((model) => [el("bdi", {}, name(model)), `: ${model.warnings}.`])];
    return told.length ? el("ul.note", {}, told.map((each) => el("li", {}, each))) : null;
  }

  function sure(site, places, found) {
    const ranked = places.filter((place) => site.models[place].index !== undefined && site.models[place].index !== null);
    if (!found || ranked.length < 2) return null;
    const [one, other] = ranked;
    const gap = site.models[one].index - site.models[other].index;
    const words = ranked.length === 2
      ? el("p", {}, el("bdi", {}, name(site.models[one])), ` (${number(site.models[one].index)}) is `, Math.abs(gap) < 0.05 ? "level with " : gap > 0 ? "above " : "below ",
        el("bdi", {}, name(site.models[other])), ` (${number(site.models[other].index)}) by `, el("b", {}, `${bench.number(Math.abs(gap))} points`), ". ", pairs.told(found, site, one, other))
      : null;
    const estimate = ([value, run, scenario]) => ` ${number(value)}${run ? ` (${bench.interval(run)} by run)` : scenario ? ` (${bench.interval(scenario)} by scenario)` : ""}`;
    const beside = Object.keys(site.models[one].numbers || {}).map((head) => el("p", {}, `${head}: `,
      ranked.map((place, at) => [at ? ", " : "", el("bdi", {}, name(site.models[place])), estimate(site.models[place].numbers[head])]), "."));
    return el("section", { "aria-labelledby": "sure" }, el("h2", { id: "sure" }, "Who is above, and how sure"), words, beside,
      ranked.length > 2 && [pairs.matrix(found, site, ranked), pairs.key()],
      el("p.aside", {}, el("a", { href: "figures.html#wins" }, "Every pair of the board")),
      found.left_out ? el("p.aside", {}, `Pairs are compared beforehand for the first ${found.models.length} ranked models; ${found.left_out} more are left out.`) : null);
  }

  // Points of the Index by scenario: what puts one above the other, the largest differences first.
  function deciding(site, sides, models) {
    if (bench.kind.compare) return bench.kind.compare(site, sides.slice(0, 2), models.slice(0, 2));
    const points = models.map((model) => new Map(model.cells.filter((cell) => cell.points).map((cell) => [cell.s, cell])));
    const shared = [...points[0].keys()].filter((s) => points.every((own) => own.has(s)));
    if (!shared.length) return el("p.note", {}, "One of them has no Index, so their points cannot be compared.");
    const rows = shared.map((s) => {
      const own = points.map((each) => each.get(s).points[0]);
      return { s, own, worth: points[0].get(s).points[1], apart: own.length === 2 ? own[0] - own[1] : Math.max(...own) - Math.min(...own) };
    }).sort((a, b) => Math.abs(b.apart) - Math.abs(a.apart));
    const two = sides.length === 2;
    const all = Math.abs(rows.reduce((sum, row) => sum + Math.abs(row.apart), 0));
    const half = rows.findIndex((_, at) => rows.slice(0, at + 1).reduce((sum, row) => sum + Math.abs(row.apart), 0) >= all / 2) + 1;
    const read = (s) => el("a", { href: bench.address("compare", { ...fieldsOf(site, sides, s), ...Object.fromEntries(sides.map((each) => [`r${each.key}`, null])) }) }, "read");
    return el("section", { "aria-labelledby": "apart" }, el("h2", { id: "apart" }, "Largest differences"),
      el("p", {}, all > 0 ? `${half === 1 ? "One scenario makes" : `${half} scenarios make`} up half of all differences. Points of the Index by scenario, the largest difference first:` : "They have the same points in every scenario."),
      bench.table("largest differences", [["Scenario", "text"], [two ? "Difference" : "Spread", "number", true], ...sides.map((each) => [name(site.models[each.model]), "number", true]), ["Worth", "number", true], ["Answers", "text"]],
        rows.map((row) => [
          el("a", { href: bench.address("scenario", { s: site.scenarios[row.s].id }) }, site.scenarios[row.s].title),
          { value: row.apart, show: el("b", {}, two ? bench.signed(row.apart, 2) : row.apart.toFixed(2)), cls: two ? `heat-${Math.round(5 + 5 * row.apart / (Math.abs(rows[0].apart) || 1))}` : "" },
          ...row.own.map((value) => ({ value, show: value.toFixed(2), cls: `heat-${Math.round(10 * Math.min(1, Math.max(0, value / (row.worth || 1))))}` })),
          { value: row.worth, show: row.worth.toFixed(2) }, read(row.s),
        ])));
  }

  async function column(site, each, scenario) {
    const { texts, trials } = await conversation.trialsOf(each.model, scenario);
    const trial = conversation.find(trials, scenario, each.run) || (each.run === null ? conversation.find(trials, scenario, null) : null);
    return { ...each, texts, trial };
  }
  function heading(site, scenario, { model, trial }) {
    return el("header", {}, el("h3", {}, el("a", { href: bench.address("model", { m: site.models[model].id }), title: bench.visible(site.models[model].label) }, el("bdi", {}, name(site.models[model])))),
      trial ? el("p.aside", {}, el("a", { href: bench.trialAddress(model, scenario, trial) }, `run ${trial.run}${bench.condition(model, trial)}`), " ", conversation.outcome(trial)) : el("p.note", {}, "It has no such trial."));
  }
  function said(own) {
    return own.trial && own.trial.said ? own.trial.said.exchanges || [] : [];
  }

  // The same question in one row, the answers next to each other.
  function aligned(site, scenario, columns, marked) {
    const most = Math.max(...columns.map((own) => said(own).length));
    const rows = [];
    const opening = columns.find((own) => own.trial && own.trial.said && (own.trial.said.opening || []).length);
    if (opening) {
      rows.push(el("div.shared", {}, el("details", {}, el("summary", {}, "The scripted opening, the same for all of them"),
        opening.trial.said.opening.map(([speaker, text]) => el(`article.turn.${speaker === "human" ? "human" : "model.put"}`, {}, el("header", {}, el("strong", {}, speaker === "human" ? "Human" : "Model"), el("span.mark.scripted", {}, "scripted")), bench.prose(opening.texts[text]))))));
    }
    for (let at = 0; at < most; at += 1) {
      const asked = columns.map((own) => (said(own)[at] ? own.texts[said(own)[at].asked] : null));
      const known = asked.filter((text) => text !== null);
      const human = (text) => el("article.turn.human", {}, el("header", {}, el("strong", {}, "Human"), el("small", {}, `question ${at + 1} of ${most}`)), bench.prose(text));
      const same = known.every((text) => text === known[0]);
      if (same) rows.push(el("div.shared", {}, human(known[0])));
      const answers = columns.map((own) => (said(own)[at] ? said(own)[at].answer ?? "" : null));
      const parts = marked && answers.every((text) => text !== null) ? differences.words(answers[0], answers[1]) : null;
      rows.push(el("div.row", {}, columns.map((own, place) => el("div", {}, same || asked[place] === null ? null : human(asked[place]),
        answers[place] === null ? el("p.aside", {}, "No answer here.")
          : el("article.turn.model", {}, el("header", {}, el("strong", {}, name(site.models[own.model])), el("small", {}, own.trial ? `run ${own.trial.run}` : "")),
            answers[place] === "" ? el("p.aside", {}, "It answered with nothing.") 
              : parts ? differences.drawn(parts[place]) : markdown.answer(answers[place]))))));
      if (marked && !parts && answers.every((text) => text !== null)) rows.push(el("p.aside.shared", {}, "These two answers share too little for their differences to be marked."));
    }
    rows.push(el("div.row", {}, columns.map((own) => (own.trial ? conversation.verdicts(own.trial, own.texts, own.judge) : el("div", {})))));
    return rows;
  }
  // Conversations that are no row of questions, such as interviews and trees: each as it is.
  function whole(columns) {
    return [el("div.row", {}, columns.map((own) => el("div.turns", {}, own.trial ? [conversation.body(own.trial, own.texts), conversation.verdicts(own.trial, own.texts, own.judge)] : null)))];
  }

  async function draw(given, moved) {
    const site = bench.site();
    if (!given.has("a") && !given.has("b") && site.components.length) {
      const pair = pairs.largest(await bench.load("pairs"), site);
      if (pair) for (const [at, key] of ["a", "b"].entries()) given.set(key, site.models[pair[at]].id);
    }
    if (!given.has("a")) given.set("a", site.models[0].id);
    if (!given.has("b")) given.set("b", (site.models.find((each) => each.id !== site.models[bench.modelAt(given.get("a"))].id) || site.models[0]).id);
    const sides = SIDES.filter((key) => given.has(key)).map((key) => side(site, given, key));
    const places = [...new Set(sides.map((each) => each.model))];
    const scenario = given.has("s") ? bench.scenarioAt(given.get("s")) : null;
    const several = places.length > 1;
    const models = several ? await Promise.all(sides.map((each) => bench.load(`model-${each.model + 1}`))) : null;
    const found = several && !bench.kind.compare && site.components.length ? await bench.load("pairs") : null;
    // Without a scenario in the address: the one with the largest difference.
    let at = scenario ?? 0;
    if (scenario === null && several) {
      const gaps = models[0].cells.filter((cell) => cell.points).map((cell) => {
        const own = models.map((model) => model.cells.find((each) => each.s === cell.s && each.points)).map((each) => (each ? each.points[0] : null));
        return [own.includes(null) ? -1 : Math.max(...own) - Math.min(...own), cell.s];
      });
      if (gaps.length) at = gaps.reduce((most, each) => (each[0] > most[0] ? each : most))[1];
    }
    const columns = await Promise.all(sides.map((each) => column(site, each, at)));
    const rows = bench.kind.conversation || columns.some((own) => own.trial && own.trial.items) ? null : true;
    // Two runs of one model share most of their words; of two models nearly all would be marked, so the reader decides.
    const marked = rows && sides.length === 2 && (given.get("diff") ?? (several ? "0" : "1")) === "1" && columns.every((own) => own.trial);
    const toggle = rows && sides.length === 2
      ? el("p", {}, el("a.button", { href: bench.address("compare", { ...fieldsOf(site, sides, at), diff: marked ? "0" : "1" }) }, marked ? "Do not mark differences" : "Mark words that the other does not have"),
        " ", marked ? null : markdown.button())
      : rows ? el("p", {}, markdown.button()) : null;
    const title = sides.length > 2 ? [`${sides.length} models side by side`]
      : [el("bdi", {}, name(site.models[sides[0].model])), " next to ", several ? el("bdi", {}, name(site.models[sides[1].model])) : "itself"];
    const grid = el("div.aligned", { "data-sides": sides.length },
      el("div.row.heads", {}, columns.map((own) => heading(site, at, own))), rows ? aligned(site, at, columns, marked) : whole(columns));
    return [
      el("h1", {}, title), form(site, sides, at), doubts(site, sides),
      several && sure(site, places, found), several && deciding(site, sides, models),
      el("h2", { "data-scroll": moved && scenario !== null }, "In ", el("a", { href: bench.address("scenario", { s: site.scenarios[at].id }) }, site.scenarios[at].title)),
      toggle, grid,
    ].filter(Boolean);
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
