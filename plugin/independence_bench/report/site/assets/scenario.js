// One scenario over all models: what is asked, how hard it is, and all answers by score.
"use strict";
{
  const { el, number } = bench;
  const AT_ONCE = 10;

  function asked(data, scenario) {
    const turn = (side, text, note) => el(`article.turn.${side}${note && side === "model" ? ".put" : ""}`, {}, el("header", {}, el("strong", {}, side === "model" ? "Model" : "Human"),
      note && el("span.mark.scripted", {}, note)), bench.prose(text));
    if (scenario.function) {
      return el("section", { "aria-labelledby": "asked" }, el("h2", { id: "asked" }, "What is asked"),
        el("p", {}, "The test function ", el("code", {}, scenario.function), " leads the conversation: it says a turn when it has the answer to the last."));
    }
    if (!(data.opening || []).length && !(data.turns || []).length) return null;
    return el("section", { "aria-labelledby": "asked" }, el("h2", { id: "asked" }, "What is asked"),
      (data.opening || []).map(([speaker, text]) => turn(speaker, text, "scripted")),
      (data.turns || []).map((text, place) => turn("human", text, data.turns.length > 1 ? `turn ${place + 1}, answered by the model` : "answered by the model")));
  }

  function judged(site, data, scenario) {
    if (!scenario.scores.length) return el("p", {}, "No judge reads it: the answers themselves are what is measured.");
    return el("section", { "aria-labelledby": "judged" }, el("h2", { id: "judged" }, "How it is judged"),
      el("p", {}, scenario.passes.length ? `Pass mark: ${scenario.passes.join(", ")}.` : "It has no pass mark."),
      data.instruction && conversation.folded("The judge's instruction", data.instruction),
      data.asks && data.asks.some(([, text]) => text) && el("details", {}, el("summary", {}, "The scores, with their anchors"), el("dl.facts", {},
        data.asks.map(([name, text]) => [el("dt", {}, scenario.scores.find((each) => each.name === name).title), el("dd", {}, text)]))));
  }

  // Each model's trials of this scenario, and their mean share of the best scores.
  function byModel(data) {
    const found = new Map();
    for (const row of data.rows) {
      if (!found.has(row[0])) found.set(row[0], []);
      found.get(row[0]).push(row);
    }
    return [...found].map(([model, rows]) => {
      const shares = rows.map((row) => row[4]).filter((share) => share !== null);
      return { model, rows, mean: shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null };
    });
  }

  function everyRun(site, at, models) {
    const runs = [...new Set(models.flatMap(({ rows }) => rows.map((row) => row[1])))].sort((a, b) => a - b);
    const link = ([model, run, variant, delivery, , , , word], text) => el("a", {
      href: bench.trialAddress(model, at, { run, v: variant, d: delivery }), "aria-label": `${site.models[model].label}, run ${run}${bench.condition(model, { v: variant, d: delivery })}: ${text}`,
    }, text, bench.sign(word));
    return bench.table("models by run", [["Model", "text"], ["Mean", "number", true], ...runs.map((run) => [`Run ${run}`, "number", true])],
      models.toSorted((a, b) => (a.mean ?? 2) - (b.mean ?? 2)).map(({ model, rows, mean }) => [
        el("a", { href: bench.address("model", { m: site.models[model].id }) }, bench.named(site.models[model]), site.models[model].configuration && el("small", {}, ` ${site.models[model].configuration}`)),
        { value: mean, show: bench.percent(mean) },
        ...runs.map((run) => {
          const these = rows.filter((row) => row[1] === run);
          const shares = these.map((row) => row[4]).filter((each) => each !== null); // what is not judged counts for nothing
          const share = shares.length ? shares.reduce((sum, each) => sum + each, 0) / shares.length : null;
          return { value: share, cls: bench.shade(share), show: these.length ? these.map((row, place) => [place ? " " : "", link(row, row[4] === null ? "read" : bench.percent(row[4]))]) : "–" };
        }),
      ]));
  }

  function spread(site, at, data) {
    const models = byModel(data);
    return el("section", { "aria-labelledby": "spread" }, el("h2", { id: "spread" }, "How the models do"),
      el("p", {}, `Each cell is the share of its points of the Index that a trial kept; ${bench.signs(data.rows.map((row) => row[7]))}. Open it to read the conversation.`), everyRun(site, at, models));
  }

  // A trial with its whole answers and what its judges say; the text comes with the model's chunk.
  function row(site, at, entry) {
    const [model, run, variant, delivery, share, held, scores, word] = entry;
    const fields = site.scenarios[at].scores;
    const known = site.models[model];
    return el("li", { "aria-busy": "true" }, el("header", {},
      el("a", { href: bench.trialAddress(model, at, { run, v: variant, d: delivery }) }, bench.named(known), `, run ${run}${bench.condition(model, { v: variant, d: delivery })}`),
      held === null ? null : el(`span.mark.${held ? "good" : "bad"}`, {}, word),
      el("b", {}, share === null ? "" : bench.percent(share)),
      site.components.length > 0 && el("span.mark.plain", {}, known.contends ? `${known.rank ? `rank ${known.rank}, ` : ""}Index ${number(known.index)}` : "not ranked"),
      el("small", {}, fields.map((field, place) => `${field.title} ${bench.score(scores[place])}`).join(" · "))));
  }
  async function fill(site, at, entry, item) {
    const [model, run, variant, delivery] = entry;
    try {
      const { texts, trials } = await conversation.trialsOf(model, at);
      const trial = conversation.find(trials, at, run, variant, delivery);
      const exchanges = trial && trial.said && !trial.items ? trial.said.exchanges || [] : [];
      const answer = (each, place) => [exchanges.length > 1 && el("h3.divider", {}, `Question ${place + 1} of ${exchanges.length}`), markdown.answer(each.answer)];
      if (exchanges.length > 1) {
        const before = el("details", {}, el("summary", {}, exchanges.length === 2 ? "The answer before it" : `The ${exchanges.length - 1} answers before it`));
        before.addEventListener("toggle", () => {
          if (before.open && before.childNodes.length === 1) before.append(...exchanges.slice(0, -1).map((each, place) => el("div", {}, el("p.asked", { dir: "auto" }, texts[each.asked]), answer(each, place))));
        });
        item.append(before);
      }
      if (exchanges.length) item.append(...[answer(exchanges.at(-1), exchanges.length - 1)].flat().filter(Boolean));
      ((trial && trial.verdicts) || []).forEach((verdict, place) => {
        if (verdict && verdict.reasoning) item.append(el("details.reason", { open: true }, el("summary", {}, el("bdi", {}, conversation.judgesOf(trial)[place].label), " says"), bench.prose(verdict.reasoning)));
      });
    } catch (error) {
      item.append(el("p", {}, String(error.message)));
    }
    item.removeAttribute("aria-busy");
  }

  // Of interviews: what every model has answered to every item, for the run that is chosen.
  function items(site, data) {
    if (!data.items || !data.answered) return null;
    const place = (entry) => data.answered[data.rows.indexOf(entry)];
    const box = el("div", {});
    const runs = [...new Set(data.rows.map((entry) => entry[1]))].sort((a, b) => a - b);
    const run = el("select", { id: "items-run" }, runs.map((each) => el("option", { value: each }, `run ${each}`)));
    function update() {
      const chosen = data.rows.filter((entry) => entry[1] === Number(run.value));
      box.replaceChildren(bench.table("items and answers", [["Item", "number"], ["Value", "text"], ["In the words of the question", "text"], ...chosen.map((entry) => [site.models[entry[0]].label, "number", true])],
        data.items.map(([number, value, words], item) => [number, value ?? "–", el("span", { dir: "auto" }, words ?? "–"),
          ...chosen.map((entry) => ({ value: place(entry)[item] ?? null, show: place(entry)[item] ?? "missing" }))])));
      tables.prepare(box);
    }
    run.addEventListener("change", update);
    update();
    return el("section", { "aria-labelledby": "items" }, el("h2", { id: "items" }, "Every item, every model"),
      el("p", {}, "The score of each answer as it counts. An item's words may differ by the persona's gender."),
      runs.length > 1 && el("p.filters", {}, el("label", {}, "Run", run)), box);
  }

  function answers(site, at, data, given) {
    const runs = [...new Set(data.rows.map((entry) => entry[1]))].sort((a, b) => a - b);
    const judged = site.scenarios[at].scores.length > 0;
    const select = (id, pairs) => el("select", { id }, pairs.map(([value, text]) => el("option", { value, selected: String(value) === given.get(id) || null }, text)));
    const order = select("order", [["worst", "worst first"], ["best", "best first"], ["rank", "as on the leaderboard"]]);
    const run = select("run", [["", "all runs"], ...runs.map((each) => [each, `run ${each}`])]);
    const list = el("ol.answers.feed", {});
    const count = el("output", { "aria-live": "polite" });
    const pager = bench.pager(turn);
    let chosen = [];
    let page = Math.max(0, Number.parseInt(given.get("page") ?? "1", 10) - 1 || 0);
    async function update() {
      const sign = order.value === "best" ? -1 : 1;
      chosen = data.rows.filter((entry) => run.value === "" || entry[1] === Number(run.value));
      if (order.value !== "rank" && judged) chosen.sort((a, b) => sign * ((a[4] ?? 2 * sign) - (b[4] ?? 2 * sign)));
      const last = Math.max(0, Math.ceil(chosen.length / AT_ONCE) - 1);
      page = Math.min(page, last);
      const shown = chosen.slice(page * AT_ONCE, (page + 1) * AT_ONCE);
      const items = shown.map((entry) => row(site, at, entry));
      list.start = page * AT_ONCE + 1;
      list.replaceChildren(...items);
      pager.set(page, last);
      count.textContent = last ? `${page * AT_ONCE + 1} to ${page * AT_ONCE + shown.length} of ${chosen.length}` : `${chosen.length} trials`;
      await Promise.all(items.map((item, place) => fill(site, at, shown[place], item)));
      if (site.models.length > AT_ONCE) for (const [model] of shown) bench.forget(conversation.chunk(model, at)); // they need not all stay in memory
    }
    function kept() { // the choice is part of the address, so that it can be sent to somebody
      history.replaceState(history.state, "", bench.address("scenario", { s: site.scenarios[at].id, order: order.value === "worst" ? "" : order.value, run: run.value, page: page ? page + 1 : "" }));
    }
    function choose() { page = 0; kept(); update(); }
    function turn(step) {
      page += step;
      kept();
      update();
      list.scrollIntoView({ block: "start", behavior: "instant" });
    }
    order.addEventListener("change", choose);
    run.addEventListener("change", choose);
    update();
    return el("section", { "aria-labelledby": "answers" }, el("h2", { id: "answers" }, bench.kind.answers || "All answers"),
      el("p.filters", {}, judged && el("label", {}, "Order", order), el("label", {}, "Run", run), count, markdown.button()), list, pager.bar);
  }

  async function draw(given) {
    const site = bench.site();
    const at = bench.scenarioAt(given.get("s"));
    const data = await bench.load(`scenario-${at + 1}`);
    const scenario = site.scenarios[at];
    const measured = data.rows && data.rows.length > 0;
    return el("div.beside", {}, el("details.scenario-side", { open: innerWidth > 960 || null }, el("summary", {}, `All ${site.scenarios.length} scenarios`),
      bench.scenarioList(at, (place) => bench.address("scenario", { s: site.scenarios[place].id }))),
    el("div.main", {}, [
      el("h1", {}, scenario.title), data.claim && el("p.lead", {}, data.claim), site.imported && el("p.aside", {}, "Imported: title and sentence are ours, the rest is its source's."),
      el("ul.numbers", {}, [
        [scenario.experiment, "experiment"], scenario.scores.length && [number(data.difficulty), "difficulty, 0 to 100"], scenario.scores.length && [number(data.discrimination, 2), "discrimination, −1 to 1"],
        ...(data.beside || []).map(([name, value]) => [number(value, 2), `discrimination, ${name}`]), scenario.scores.length && [bench.percent(data.best), "of runs lost nothing"],
        [String((data.rows || []).length), "trials measured"],
      ].filter(Boolean).map(([value, what]) => el("li", {}, el("b", {}, value), what))),
      asked(data, scenario), judged(site, data, scenario),
      measured ? [items(site, data), answers(site, at, data, given), scenario.scores.length ? spread(site, at, data) : null] : el("p.note", {}, "No trial of it is measured yet."),
    ].flat().filter(Boolean)));
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
