// Full text over all answers: the chunks are read one after the other and hits appear as they are found. No index is
// shipped, so any piece of text in any script is found, and nothing is loaded before the first search.
// 8,100 conversations, 29 MB, are read in about a second from here; the first hits appear within half a second.
"use strict";
{
  const { el } = bench;
  const MOST = 200;
  const AROUND = 90;
  const AHEAD = 6;
  let turn = 0;

  function folded(text) {
    return text.toLowerCase();
  }

  // toLowerCase may change lengths; where it does, the place is only nearly right, and the text is still the text.
  function hit(text, wanted) {
    const at = folded(text).indexOf(wanted);
    if (at < 0) return null;
    const start = Math.max(0, at - AROUND);
    const end = at + wanted.length + AROUND;
    return [start ? "…" : "", text.slice(start, at), el("mark", {}, text.slice(at, at + wanted.length)), text.slice(at + wanted.length, end), end < text.length ? "…" : ""];
  }

  function* texts(trial, where) {
    if (where !== "reasons") {
      for (const each of trial.said ? trial.said.exchanges || [] : []) {
        yield ["answer", each.answer];
        if (where === "all" && each.thought) yield ["private thought", each.thought];
        if (where === "all" && each.reasoning) yield ["reasoning", each.reasoning];
      }
    }
    if (where !== "answers") {
      for (const verdict of trial.verdicts || []) if (verdict) yield ["judge", verdict.reasoning];
    }
  }

  async function search(given, list, told) {
    const mine = ++turn;
    const site = bench.site();
    const wanted = folded(given.get("q"));
    const scenario = given.get("s") ? bench.scenarioAt(given.get("s")) : null;
    const models = given.get("m") ? [bench.modelAt(given.get("m"))] : site.models.map((each, at) => at);
    // What to read, model by model, and the next few chunks on their way while one is read: a host is often far away.
    const scenarios = scenario === null ? site.scenarios.map((each, at) => at) : [scenario];
    const parts = models.flatMap((model) => [...new Map(scenarios.map((at) => [conversation.chunk(model, at), model]))]);
    const coming = parts.map(() => null);
    let found = 0;
    for (const [place, [name, model]] of parts.entries()) {
      for (let next = place; next < Math.min(place + AHEAD, parts.length); next++) {
        coming[next] ??= bench.load(parts[next][0]);
        coming[next].catch(() => null); // reported where it is awaited
      }
      const { trials } = await coming[place];
      coming[place] = null;
      if (mine !== turn || !list.isConnected && place > 0) return;
      for (const trial of trials) {
        if (scenario !== null && trial.s !== scenario) continue;
        for (const [kind, text] of texts(trial, given.get("in") || "answers")) {
          const around = hit(text, wanted);
          if (!around) continue;
          found += 1;
          if (found <= MOST) {
            list.append(el("li", {}, el("header", {}, el("a", { href: bench.trialAddress(model, trial.s, trial) },
              el("bdi", {}, site.models[model].label), `, ${site.scenarios[trial.s].title}, run ${trial.run}`), el("span.mark.plain", {}, kind), conversation.outcome(trial)),
            el("p", { dir: "auto" }, around)));
          }
        }
      }
      if (parts.length > 12) bench.forget(name); // 8,100 conversations need not stay in memory
      told.textContent = place + 1 < parts.length ? `${found} found, ${Math.floor(100 * (place + 1) / parts.length)} % read …`
        : `${found} found${found > MOST ? `, the first ${MOST} are shown` : ""}.`;
      if (place % 4 === 3) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
    }
  }

  async function draw(given) {
    const site = bench.site();
    const list = el("ol.answers", { "aria-label": "Hits" });
    const told = el("output", { "aria-live": "polite" });
    const text = el("input", { type: "search", id: "q", value: given.get("q") || "", autocomplete: "off", size: 30 });
    const select = (id, pairs) => el("select", { id }, pairs.map(([value, name]) => el("option", { value, selected: value === (given.get(id) || pairs[0][0]) || null }, name)));
    const where = select("in", [["answers", "answers"], ...(site.judges.length ? [["reasons", "judges' reasons"]] : []), ["all", "everything, thoughts too"]]);
    const scenario = select("s", [["", "all scenarios"], ...site.scenarios.map((each) => [each.id, each.title])]);
    const model = select("m", [["", "all models"], ...site.models.map((each) => [each.id, each.label])]);
    const form = el("form.filters", { role: "search", onsubmit: (event) => {
      event.preventDefault();
      bench.go("search", { q: text.value.trim(), in: where.value === "answers" ? "" : where.value, s: scenario.value, m: model.value });
    } }, el("label", {}, "Text", text), el("label", {}, "In", where), el("label", {}, "Scenario", scenario), el("label", {}, "Model", model),
    el("button", { type: "submit" }, "Search"), told);
    if (given.get("q")) {
      if (given.get("s")) bench.scenarioAt(given.get("s"));
      if (given.get("m")) bench.modelAt(given.get("m"));
      told.textContent = "Reading …";
      search(given, list, told).catch((error) => { told.textContent = String(error.message); });
    } else {
      turn += 1;
    }
    return [el("h1", {}, given.get("q") ? `Search: ${given.get("q")}` : "Search"), form, list];
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
