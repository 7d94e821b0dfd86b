// One trial: what was said, and what every judge made of it. The keys are letters and arrows that every keyboard has.
"use strict";
{
  const { el } = bench;
  let steps = {};

  const KEYS = [["← →", "previous and next run"], ["k j", "previous and next scenario"], ["p n", "previous and next model"],
    ["a", "to the model's last answer"], ["m", "raw text, or Markdown drawn"], ["?", "this help"]];
  const help = el("dialog.keys", { "aria-label": "Keys" }, el("h2", {}, "Keys"), el("dl.facts", {}, KEYS.map(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)])),
    el("form", { method: "dialog" }, el("button", { type: "submit" }, "Close")));
  function showHelp() {
    if (!help.isConnected) document.body.append(help);
    if (!help.open) help.showModal();
  }

  // What a search has found here: marked, and the first of it scrolled to. Markdown is undone where it stands between the letters.
  function found(drawn, given) {
    const wanted = given.get("q") ? conversation.patterns(given.get("q"), given.get("by")) : [];
    if (!wanted.length) return;
    const kind = given.get("hit");
    const target = kind === "judge" ? drawn.querySelectorAll(".verdict")[Number(given.get("at"))] : drawn.querySelector(`[data-exchange="${Number(given.get("at"))}"]`);
    const place = target || drawn;
    if (kind === "reasoning" || kind === "thought") {
      const box = place.querySelector(`details[data-kind="${kind}"]`);
      if (box) { box.fill(); box.open = true; }
    }
    let marks = conversation.highlight(place, wanted);
    if (!marks.length) {
      markdown.redraw(place, true);
      marks = conversation.highlight(place, wanted);
    }
    const first = marks[0] || place;
    first.dataset.scroll = "center";
  }

  function step(label, key, address) {
    if (address) steps[key] = address;
    return address ? el("a.step", { href: address, "aria-keyshortcuts": key }, label) : el("span.step.off", {}, label);
  }

  // The judged part is at the end, often below long scripted turns.
  function toAnswer() {
    const own = document.querySelectorAll(".turn.model:not(.put)");
    if (own.length) own[own.length - 1].scrollIntoView({ block: "center" });
  }

  async function draw(given) {
    const site = bench.site();
    const model = bench.modelAt(given.get("model"));
    const scenario = bench.scenarioAt(given.get("scenario"));
    const run = given.has("run") ? Number(given.get("run")) : null;
    const { texts, trials } = await conversation.trialsOf(model, scenario);
    const trial = conversation.find(trials, scenario, run, given.get("variant"), given.get("delivery"));
    if (!trial) throw new bench.NoSuch(`“${site.models[model].label}” has no such trial in “${site.scenarios[scenario].id}”.`);
    const to = (m, s, t) => bench.trialAddress(m, s, { v: trial.v, d: trial.d, ...t });
    const runs = trials.filter((each) => each.s === scenario && each.v === trial.v && each.d === trial.d);
    const place = runs.indexOf(trial);
    const drawn = el(`div.trajectory${site.judges.length ? "" : ".unjudged"}`, {}, el("section.turns", { "aria-labelledby": "conversation" },
      el("h2", { id: "conversation" }, "Conversation"), conversation.body(trial, texts)), conversation.verdicts(trial, texts, null, true));
    if (given.has("q")) found(drawn, given);
    else quotations.mark(drawn.querySelector(".turns"), drawn);
    const group = site.models.map((each, at) => at).filter((at) => (site.models[at].configuration ?? null) === (site.models[model].configuration ?? null));
    const at = group.indexOf(model);
    const near = (offset) => group[at + offset] === undefined ? null : to(group[at + offset], scenario, { run: Math.min(trial.run, site.models[group[at + offset]].runs) });
    const scene = (offset) => site.scenarios[scenario + offset] ? to(model, scenario + offset, { run: trial.run }) : null;
    const asked = site.scenarios[scenario];
    steps = {};
    return [
      bench.crumbs(el("a", { href: bench.address("model", { m: site.models[model].id }) }, bench.named(site.models[model])),
        el("a", { href: bench.address("scenario", { s: asked.id }) }, asked.title), el("span", { "aria-current": "page" }, `run ${trial.run}`)),
      el("h1", {}, bench.named(site.models[model]), ` in ${asked.title}, run ${trial.run}`),
      el("p", {}, el("span.tag", { title: (site.experiments || {})[asked.experiment] }, asked.experiment), " ", asked.claim),
      el("nav.steps", { "aria-label": "Other trials" },
        step("← run", "ArrowLeft", runs[place - 1] && to(model, scenario, runs[place - 1])),
        el("span.runs-of", {}, "run", runs.map((each) => (each === trial ? el("b", { "aria-current": "page" }, each.run, bench.sign(each.word))
          : el("a", { href: to(model, scenario, each), title: each.word, "aria-label": `run ${each.run}` }, each.run, bench.sign(each.word))))),
        step("run →", "ArrowRight", runs[place + 1] && to(model, scenario, runs[place + 1])),
        step("previous model (p)", "p", near(-1)), step("next model (n)", "n", near(1)),
        step("previous scenario (k)", "k", scene(-1)), step("next scenario (j)", "j", scene(1)),
        el("button.quiet", { type: "button", onclick: () => toAnswer() }, "to its answer (a)"), markdown.button(),
        el("button.quiet", { type: "button", onclick: showHelp }, "keys (?)"),
        el("a.step", { href: bench.address("compare", { s: site.scenarios[scenario].id, a: site.models[model].id, ra: trial.run }) }, "side by side …"),
        site.components.length > 0 && el("a.step", { href: bench.address("explain", { m: site.models[model].id, s: site.scenarios[scenario].id, run: trial.run, v: site.variants ? trial.v : null, d: site.variants ? trial.d : null }) }, "what it cost")),
      bench.kind.elsewhere && bench.kind.elsewhere(site, scenario, (each) => to(model, each, { run: trial.run })),
      el("p.facts", {}, trial.at && ["asked ", bench.when(trial.at), " · "], conversation.facts(trial)),
      conversation.protocol(trial), drawn,
    ].filter(Boolean);
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .scroll, pre")) return;
    if (help.open) return;
    // Where the layout has no Latin letters the key's place counts.
    const key = /^Key[A-Z]$/.test(event.code) && !/^[a-z]$/i.test(event.key) ? event.code.slice(3).toLowerCase() : event.key;
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
