// One scenario over all models: what is asked, how hard it is, and all answers by score.
"use strict";
{
  const { el, mean, number, percent, section } = bench;
  const AT_ONCE = 10;
  const runsOf = (trials) => [...new Set(trials.map((trial) => trial.run))].sort((a, b) => a - b);
  const address = (at, trial) => bench.trialAddress(trial.model, at, trial);
  const runText = (trial) => `, run ${trial.run}${bench.condition(trial.model, trial)}`;
  function asked({ opening = [], turns = [] }, scenario) {
    const turn = (side, text, note) => el(`article.turn.${side}${side === "model" ? ".put" : ""}`, {},
      el("header", {}, el("strong", {}, side === "model" ? "Model" : "Human"), el("span.mark.scripted", {}, note)),
      bench.prose(text));
    const several = (place) => (turns.length > 1 ? `turn ${place + 1}, ` : "");
    const said = scenario.function
      ? [el("p", {}, "The test function ", el("code", {}, scenario.function),
        " leads the conversation: it says a turn when it has the answer to the last.")]
      : [...opening.map(([speaker, text]) => turn(speaker, text, "scripted")),
        ...turns.map((text, place) => turn("human", text, `${several(place)}answered by the model`))];
    return said.length > 0 && section("asked", "What is asked", said);
  }
  function judged({ instruction, asks = [] }, scenario) {
    if (!scenario.scores.length) return el("p", {}, "No judge reads it: the answers themselves are what is measured.");
    return section("judged", "How it is judged",
      el("p", {}, scenario.passes.length ? `Pass mark: ${scenario.passes.join(", ")}.` : "It has no pass mark."),
      instruction && bench.fold("The judge's instruction", () => bench.prose(instruction)),
      asks.some(([, text]) => text) && el("details", {}, el("summary", {}, "The scores, with their anchors"),
        el("dl.facts", {}, asks.map(([, text], place) =>
          [el("dt", {}, scenario.scores[place].title), el("dd", {}, text)]))));
  }
  // Every run of every model, the worst model first; what is not judged counts for nothing.
  function spread(site, at, trials) {
    const runs = runsOf(trials);
    const shareOf = (some) => mean(some.map((trial) => trial.share));
    const link = (trial) => {
      const text = trial.share === null ? "read" : percent(trial.share);
      const label = `${site.models[trial.model].label}${runText(trial)}: ${text}`;
      return el("a", { href: address(at, trial), "aria-label": label }, text, bench.sign(trial.word));
    };
    const cell = (some) => ({ value: shareOf(some), cls: bench.shade(shareOf(some)),
      show: some.length ? some.map((trial, place) => [place ? " " : "", link(trial)]) : "–" });
    const rows = [...new Set(trials.map((trial) => trial.model))].map((model) => {
      const own = trials.filter((trial) => trial.model === model);
      const { configuration } = site.models[model];
      const name = el("a", { href: bench.modelAddress(model) }, bench.named(site.models[model]),
        configuration && el("small", {}, ` ${configuration}`));
      return [name, { value: shareOf(own), show: percent(shareOf(own)) },
        ...runs.map((run) => cell(own.filter((trial) => trial.run === run)))];
    });
    rows.sort(([, a], [, b]) => (a.value ?? 2) - (b.value ?? 2));
    return section("spread", "How the models do",
      el("p", {}, "Each cell is the share of its points of the Index that a trial kept; ",
        `${bench.signs(trials.map((trial) => trial.word))}. Open it to read the conversation.`),
      bench.table("models by run",
        [["Model", "text"], ["Mean", "number", true], ...runs.map((run) => [`Run ${run}`, "number", true])], rows));
  }
  // A trial in one line; its whole answers and what its judges say come with the model's chunk.
  function row(site, at, trial) {
    const { model, share, held, scores, word } = trial;
    const { contends, rank, index } = site.models[model];
    return el("li", { "aria-busy": "true" }, el("header", {},
      el("a", { href: address(at, trial) }, bench.named(site.models[model]), runText(trial)),
      held !== null && el(`span.mark.${held ? "good" : "bad"}`, {}, word),
      el("b", {}, share === null ? "" : percent(share)),
      site.components.length > 0 && el("span.mark.plain", {},
        contends ? `${rank ? `rank ${rank}, ` : ""}Index ${number(index)}` : "not ranked"),
      el("small", {}, site.scenarios[at].scores.map((field, place) =>
        `${field.title} ${bench.score(scores[place])}`).join(" · "))));
  }
  async function reading(at, { model, run, v, d }) {
    const { texts, trials } = await conversation.trialsOf(model, at);
    const trial = conversation.find(trials, at, run, v, d) || {};
    const exchanges = (!trial.items && trial.said && trial.said.exchanges) || [];
    const { length } = exchanges;
    const answer = (each, place) => [length > 1 && el("h3.divider", {}, `Question ${place + 1} of ${length}`),
      markdown.answer(each.answer)];
    const before = () => exchanges.slice(0, -1).map((each, place) =>
      el("div", {}, el("p.asked", { dir: "auto" }, texts[each.asked]), answer(each, place)));
    const judgements = (trial.verdicts || []).map((verdict, place) =>
      verdict && verdict.reasoning && el("details.reason", { open: true },
        el("summary", {}, el("bdi", {}, conversation.judgesOf(trial)[place].label), " says"),
        bench.prose(verdict.reasoning)));
    return [
      length > 1 && bench.fold(length === 2 ? "The answer before it" : `The ${length - 1} answers before it`, before),
      ...exchanges.slice(-1).flatMap((each) => answer(each, length - 1)), ...judgements,
    ].filter(Boolean);
  }
  async function fill(at, trial, item) {
    item.append(...await reading(at, trial).catch((error) => [el("p", {}, String(error.message))]));
    item.removeAttribute("aria-busy");
  }
  // Of interviews: what every model has answered to every item, for the run that is chosen.
  function items(site, data, trials) {
    if (!data.items) return null;
    const box = el("div", {});
    const runs = runsOf(trials);
    const run = bench.select("items-run", runs.map((each) => [each, `run ${each}`]));
    function update() {
      const chosen = trials.filter((trial) => trial.run === Number(run.value));
      box.replaceChildren(bench.table("items and answers",
        [["Item", "number"], ["Value", "text"], ["In the words of the question", "text"],
          ...chosen.map((trial) => [site.models[trial.model].label, "number", true])],
        data.items.map(([item, value, words], place) => [item, value ?? "–", el("span", { dir: "auto" }, words ?? "–"),
          ...chosen.map(({ answered }) => ({ value: answered[place], show: answered[place] ?? "missing" }))])));
      tables.prepare(box);
    }
    run.addEventListener("change", update);
    update();
    return section("items", "Every item, every model",
      el("p", {}, "The score of each answer as it counts. An item's words may differ by the persona's gender."),
      runs.length > 1 && el("p.filters", {}, el("label", {}, "Run", run)), box);
  }
  function answers(site, at, trials, given) {
    const judged = site.scenarios[at].scores.length > 0;
    const order = bench.select("order",
      [["worst", "worst first"], ["best", "best first"], ["rank", "as on the leaderboard"]], given.get("order"));
    const run = bench.select("run",
      [["", "all runs"], ...runsOf(trials).map((each) => [each, `run ${each}`])], given.get("run"));
    const list = el("ol.answers.feed", {});
    const count = el("output", { "aria-live": "polite" });
    const pager = bench.pager(turn);
    let page = Math.max(0, Number.parseInt(given.get("page"), 10) - 1 || 0);
    async function update() {
      const sign = order.value === "best" ? -1 : 1;
      const order_of = ({ share }) => (share === null ? 2 : sign * share); // what is not judged comes last
      const chosen = trials.filter((trial) => run.value === "" || trial.run === Number(run.value));
      if (order.value !== "rank" && judged) chosen.sort((a, b) => order_of(a) - order_of(b));
      const last = Math.max(0, Math.ceil(chosen.length / AT_ONCE) - 1);
      page = Math.min(page, last);
      const start = page * AT_ONCE;
      const shown = chosen.slice(start, start + AT_ONCE);
      const rows = shown.map((trial) => row(site, at, trial));
      list.start = start + 1;
      list.replaceChildren(...rows);
      pager.set(page, last);
      count.textContent = !last ? `${chosen.length} trials`
        : `${start + 1} to ${start + shown.length} of ${chosen.length}`;
      await Promise.all(rows.map((item, place) => fill(at, shown[place], item)));
      if (site.models.length <= AT_ONCE) return; // of more models, not all answers need to stay in memory
      for (const { model } of shown) bench.forget(conversation.chunk(model, at));
    }
    // The choice is part of the address, so that it can be sent to somebody.
    function go(to) {
      page = to;
      history.replaceState(history.state, "", bench.address("scenario", {
        s: site.scenarios[at].id, order: order.value === "worst" ? "" : order.value, run: run.value,
        page: page ? page + 1 : "",
      }));
      update();
    }
    function turn(step) {
      go(page + step);
      list.scrollIntoView({ block: "start", behavior: "instant" });
    }
    for (const choice of [order, run]) choice.addEventListener("change", () => go(0));
    update();
    const ordering = judged && el("label", {}, "Order", order);
    return section("answers", bench.kind.answers || "All answers",
      el("p.filters", {}, ordering, el("label", {}, "Run", run), count, markdown.button()), list, pager.bar);
  }

  async function draw(given) {
    const site = bench.site();
    const at = bench.scenarioAt(given.get("s"));
    const data = await bench.load(`scenario-${at + 1}`);
    const scenario = site.scenarios[at];
    const scored = scenario.scores.length > 0;
    const trials = (data.rows || []).map(([model, run, v, d, share, held, scores, word], place) =>
      ({ model, run, v, d, share, held, scores, word, answered: data.answered && data.answered[place] }));
    return el("div.beside", {},
      el("details.scenario-side", { open: innerWidth > 960 || null },
        el("summary", {}, `All ${site.scenarios.length} scenarios`), bench.scenarioList(at, bench.sceneAddress)),
      el("div.main", {},
        el("h1", {}, scenario.title), data.claim && el("p.lead", {}, data.claim),
        site.imported && el("p.aside", {}, "Imported: title and sentence are ours, the rest is its source's."),
        bench.numbers([
          [scenario.experiment, "experiment"],
          scored && [number(data.difficulty), "difficulty, 0 to 100"],
          scored && [number(data.discrimination, 2), "discrimination, −1 to 1"],
          ...(data.beside || []).map(([name, value]) => [number(value, 2), `discrimination, ${name}`]),
          scored && [percent(data.best), "of runs lost nothing"],
          [String(trials.length), "trials measured"],
        ]),
        asked(data, scenario), judged(data, scenario),
        !trials.length ? el("p.note", {}, "No trial of it is measured yet.")
          : [items(site, data, trials), answers(site, at, trials, given), scored && spread(site, at, trials)]));
  }
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
