// One trial: what was said, and what every judge made of it. The keys are letters and arrows that every keyboard has.
"use strict";
{
  const { el } = bench;
  const site = bench.site();
  let steps = {};
  const KEYS = [["← →", "previous and next run"], ["k j", "previous and next scenario"],
    ["p n", "previous and next model"], ["a", "to the model's last answer"], ["m", "raw text, or Markdown drawn"],
    ["?", "this help"]];
  const help = el("dialog.keys", { "aria-label": "Keys" }, el("h2", {}, "Keys"),
    el("dl.facts", {}, KEYS.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("form", { method: "dialog" }, el("button", { type: "submit" }, "Close")));
  function showHelp() {
    if (!help.isConnected) document.body.append(help);
    if (!help.open) help.showModal();
  }
  // The judged part is at the end, often below long scripted turns.
  const toAnswer = () =>
    [...document.querySelectorAll(".turn.model:not(.put)")].at(-1)?.scrollIntoView({ block: "center" });
  // What a search has found here: marked, and the first of it scrolled to.
  function found(drawn, given) {
    const wanted = conversation.patterns(given.get("q"), given.get("by"));
    if (!wanted.length) return;
    const [kind, at] = [given.get("hit"), Number(given.get("at"))];
    const place = (kind === "judge" ? drawn.querySelectorAll(".verdict")[at]
      : drawn.querySelector(`[data-exchange="${at}"]`)) || drawn;
    const box = ["reasoning", "thought"].includes(kind) ? place.querySelector(`details[data-kind=${kind}]`) : null;
    box?.fill();
    if (box) box.open = true;
    const [first] = conversation.highlight(place, wanted);
    if (!first) markdown.redraw(place, true); // Markdown may stand between the letters
    (first || conversation.highlight(place, wanted)[0] || place).dataset.scroll = "center";
  }
  // Links to the other runs, scenarios and models, each with its key.
  function navigation(model, scenario, trial, trials) {
    const { models, scenarios } = site;
    const runs = trials.filter((each) => each.s === scenario && each.v === trial.v && each.d === trial.d);
    const group = [...models.keys()].filter((at) => models[at].configuration === models[model].configuration);
    const [run, place] = [runs.indexOf(trial), group.indexOf(model)];
    const to = (m, s, t) => (models[m] && scenarios[s] && t ? bench.trialAddress(m, s, t) : null);
    const near = (m) => to(m, scenario, { ...trial, run: Math.min(trial.run, models[m]?.runs) });
    const step = (label, key, href) => {
      if (href) steps[key] = href;
      return href ? el("a.step", { href, "aria-keyshortcuts": key }, label) : el("span.step.off", {}, label);
    };
    const [m, s] = [models[model].id, scenarios[scenario].id];
    const asked = site.variants ? { v: trial.v, d: trial.d } : {};
    steps = {};
    return el("nav.steps", { "aria-label": "Other trials" },
      step("← run", "ArrowLeft", to(model, scenario, runs[run - 1])),
      el("span.runs-of", {}, "run", runs.map((each) => {
        const words = [each.run, bench.sign(each.word)];
        const named = { href: to(model, scenario, each), title: each.word, "aria-label": `run ${each.run}` };
        return each === trial ? el("b", { "aria-current": "page" }, words) : el("a", named, words);
      })), step("run →", "ArrowRight", to(model, scenario, runs[run + 1])),
      step("previous model (p)", "p", near(group[place - 1])), step("next model (n)", "n", near(group[place + 1])),
      step("previous scenario (k)", "k", to(model, scenario - 1, trial)),
      step("next scenario (j)", "j", to(model, scenario + 1, trial)),
      tables.button("to its answer (a)", toAnswer), markdown.button(), tables.button("keys (?)", showHelp),
      el("a.step", { href: bench.address("compare", { s, a: m, ra: trial.run }) }, "side by side …"),
      site.components.length > 0
        && el("a.step", { href: bench.address("explain", { m, s, run: trial.run, ...asked }) }, "what it cost"));
  }

  async function draw(given) {
    const model = bench.modelAt(given.get("model"));
    const scenario = bench.scenarioAt(given.get("scenario"));
    const run = given.has("run") ? Number(given.get("run")) : null;
    const { texts, trials } = await conversation.trialsOf(model, scenario);
    const trial = conversation.find(trials, scenario, run, given.get("variant"), given.get("delivery"));
    const { id, title, experiment, claim } = site.scenarios[scenario];
    if (!trial) throw new bench.NoSuch(`“${site.models[model].label}” has no such trial in “${id}”.`);
    const drawn = el(`div.trajectory${site.judges.length ? "" : ".unjudged"}`, {},
      el("section.turns", { "aria-labelledby": "conversation" }, el("h2", { id: "conversation" }, "Conversation"),
        conversation.body(trial, texts)),
      conversation.verdicts(trial, texts, null, true));
    if (given.has("q")) found(drawn, given);
    else quotations.mark(drawn.querySelector(".turns"), drawn);
    return [
      bench.crumbs(bench.modelLink(model), bench.sceneLink(scenario),
        el("span", { "aria-current": "page" }, `run ${trial.run}`)),
      el("h1", {}, bench.named(site.models[model]), ` in ${title}, run ${trial.run}`),
      el("p", {}, el("span.tag", { title: site.experiments[experiment] }, experiment), " ", claim),
      navigation(model, scenario, trial, trials),
      bench.kind.elsewhere && bench.kind.elsewhere(site, scenario, (each) => bench.trialAddress(model, each, trial)),
      el("p.facts", {}, trial.at && ["asked ", bench.when(trial.at), " · "], conversation.facts(trial)),
      conversation.protocol(trial), drawn,
    ].filter(Boolean);
  }

  addEventListener("keydown", (event) => {
    const { ctrlKey, metaKey, altKey, code, target } = event;
    if (help.open || ctrlKey || metaKey || altKey || target.closest("input, select, textarea, .scroll, pre")) return;
    // Where the layout has no Latin letters the key's place counts.
    const key = /^Key[A-Z]$/.test(code) && !/^[a-z]$/i.test(event.key) ? code.slice(3).toLowerCase() : event.key;
    if (key === "a") toAnswer();
    if (key === "m") markdown.toggle();
    if (key === "?") showHelp();
    if (steps[key]) {
      event.preventDefault();
      location.href = steps[key];
    }
  });
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
