// One trial: what was said, and what every judge made of it. ← → runs, p n models, [ ] scenarios.
"use strict";
{
  const { el } = bench;
  let steps = {};

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
    const group = site.models.map((each, at) => at).filter((at) => (site.models[at].configuration ?? null) === (site.models[model].configuration ?? null));
    const at = group.indexOf(model);
    const near = (offset) => group[at + offset] === undefined ? null : to(group[at + offset], scenario, { run: Math.min(trial.run, site.models[group[at + offset]].runs) });
    const scene = (offset) => site.scenarios[scenario + offset] ? to(model, scenario + offset, { run: trial.run }) : null;
    steps = {};
    return [
      el("h1", {}, el("a", { href: bench.address("model", { m: site.models[model].id }) }, el("bdi", {}, site.models[model].label)), " in ",
        el("a", { href: bench.address("scenario", { s: site.scenarios[scenario].id }) }, site.scenarios[scenario].title), `, run ${trial.run}`),
      el("nav.steps", { "aria-label": "Other trials" },
        step("← run", "ArrowLeft", runs[place - 1] && to(model, scenario, runs[place - 1])),
        el("span", {}, `run ${place + 1} of ${runs.length}`),
        step("run →", "ArrowRight", runs[place + 1] && to(model, scenario, runs[place + 1])),
        step("previous model (p)", "p", near(-1)), step("next model (n)", "n", near(1)),
        step("previous scenario ([)", "[", scene(-1)), step("next scenario (])", "]", scene(1)),
        el("button.quiet", { type: "button", onclick: () => toAnswer() }, "to its answer (a)"),
        el("a.step", { href: bench.address("compare", { s: site.scenarios[scenario].id, a: site.models[model].id, ra: trial.run }) }, "side by side …")),
      bench.kind.elsewhere && bench.kind.elsewhere(site, scenario, (each) => to(model, each, { run: trial.run })),
      el("p.facts", {}, conversation.outcome(trial), " ", conversation.facts(trial)),
      el(`div.trajectory${site.judges.length ? "" : ".unjudged"}`, {}, el("section.turns", { "aria-label": "Conversation" }, conversation.body(trial, texts)), conversation.verdicts(trial, texts)),
    ].filter(Boolean);
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .scroll, pre")) return;
    if (event.key === "a") toAnswer();
    if (steps[event.key]) {
      event.preventDefault();
      location.href = steps[event.key];
    }
  });
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
