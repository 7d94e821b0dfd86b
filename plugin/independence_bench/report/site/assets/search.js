// Full text over all answers: the chunks are read one after the other and hits appear as they are found. No index is
// shipped, so any piece of text in any script is found, and nothing is loaded before the first search.
// 8,100 conversations, 29 MB, are read in about a second from here; the first hits appear within half a second.
"use strict";
{
  const { el } = bench;
  const AT_ONCE = 50;
  const AROUND = 90;
  const AHEAD = 6;
  let turn = 0;

  // The text around the first match, marked; null unless every pattern matches.
  function hit(text, wanted) {
    const at = wanted.map((each) => text.search(each));
    if (at.some((place) => place < 0)) return null;
    const first = Math.min(...at);
    const end = first + AROUND + 60;
    return `${first > AROUND ? "…" : ""}${text.slice(Math.max(0, first - AROUND), end)}${end < text.length ? "…" : ""}`;
  }

  function* texts(trial, where) {
    if (where !== "reasons") {
      for (const [place, each] of (trial.said ? trial.said.exchanges || [] : []).entries()) {
        yield ["answer", each.answer, place];
        if (where === "all" && each.thought) yield ["thought", each.thought, place];
        if (where === "all" && each.reasoning) yield ["reasoning", each.reasoning, place];
      }
    }
    if (where !== "answers") {
      for (const [place, verdict] of (trial.verdicts || []).entries()) if (verdict) yield ["judge", verdict.reasoning, place];
    }
  }
  const KINDS = { answer: "answer", thought: "private thought", reasoning: "reasoning", judge: "judge" };

  function address(given, found) {
    const { model, trial, kind, place } = found;
    const more = new URLSearchParams({ q: given.get("q"), by: given.get("by") || "", hit: kind, at: String(place) });
    return `${bench.trialAddress(model, trial.s, trial)}&${more}`;
  }

  // Pages of hits, which grow while the rest is read.
  function results(given) {
    const site = bench.site();
    const wanted = conversation.patterns(given.get("q"), given.get("by"));
    const list = el("ol.answers", { "aria-label": "Hits" });
    const pager = bench.pager((step) => show(page + step));
    const hits = [];
    let page = 0;
    function item(found) {
      const { model, trial, kind, around } = found;
      // Marks whose other half is beyond the excerpt say nothing.
      const shown = el("p", { dir: "auto" }, markdown.inline(around).map((part) => (typeof part === "string" ? part.replaceAll("**", "") : part)));
      conversation.highlight(shown, wanted);
      return el("li", {}, el("header", {}, el("a", { href: address(given, found) }, bench.named(site.models[model]), `, ${site.scenarios[trial.s].title}, run ${trial.run}`),
        el("span.mark.plain", {}, KINDS[kind]), conversation.outcome(trial)), shown);
    }
    const pages = () => pager.set(page, Math.max(0, Math.ceil(hits.length / AT_ONCE) - 1));
    // All hits are known: those of the address's order come first, unknown scores last.
    function order() {
      const sign = { worst: 1, best: -1 }[given.get("order")];
      if (!sign) return;
      hits.sort((a, b) => sign * ((a.trial.share ?? 2 * sign) - (b.trial.share ?? 2 * sign)));
      fill();
    }
    function fill() {
      list.replaceChildren(...hits.slice(page * AT_ONCE, (page + 1) * AT_ONCE).map(item));
      list.start = page * AT_ONCE + 1;
      pages();
    }
    function show(next) {
      page = next;
      fill();
      list.scrollIntoView({ block: "nearest", behavior: "instant" });
    }
    function add(found) {
      hits.push(found);
      if (Math.floor((hits.length - 1) / AT_ONCE) === page) list.append(item(found));
      else if (hits.length % AT_ONCE === 1) pages();
    }
    function rows() {
      return hits.map(({ model, trial, kind, place: number, around }) => ({
        model: site.models[model].label, model_id: site.models[model].id, scenario: site.scenarios[trial.s].id, run: trial.run, system_variant: trial.v,
        delivery_mode: trial.d, found_in: KINDS[kind], number: number + 1, text: around,
      }));
    }
    function download(kind) {
      const found = rows();
      tables.download("search", kind, kind === "json" ? `${JSON.stringify(found, null, 1)}\n` : tables.lines([Object.keys(found[0]), ...found.map((each) => Object.values(each).map(String))]));
    }
    const downloads = el("p.downloads", { hidden: true }, ["csv", "json"].map((kind) =>
      tables.button(kind.toUpperCase(), () => download(kind), `Download all hits as ${kind.toUpperCase()}`)));
    return { list, pager: pager.bar, downloads, add, order, wanted, hits };
  }

  async function search(given, shown, told) {
    const mine = ++turn;
    const site = bench.site();
    const scenario = given.get("s") ? bench.scenarioAt(given.get("s")) : null;
    const models = given.get("m") ? [bench.modelAt(given.get("m"))] : site.models.map((each, at) => at);
    // What to read, model by model, and the next few chunks on their way while one is read: a host is often far away.
    const scenarios = scenario === null ? site.scenarios.map((each, at) => at) : [scenario];
    const parts = models.flatMap((model) => [...new Map(scenarios.map((at) => [conversation.chunk(model, at), model]))]);
    const coming = parts.map(() => null);
    for (const [place, [name, model]] of parts.entries()) {
      for (let next = place; next < Math.min(place + AHEAD, parts.length); next++) {
        coming[next] ??= bench.load(parts[next][0]);
        coming[next].catch(() => null); // reported where it is awaited
      }
      const { trials } = await coming[place];
      coming[place] = null;
      if (mine !== turn || !shown.list.isConnected && place > 0) return;
      for (const trial of trials) {
        if (scenario !== null && trial.s !== scenario) continue;
        for (const [kind, text, number] of texts(trial, given.get("in") || "answers")) {
          const around = hit(text, shown.wanted);
          if (around !== null) shown.add({ model, trial: { s: trial.s, v: trial.v, d: trial.d, run: trial.run, held: trial.held, word: trial.word, share: trial.share, said: Boolean(trial.said), verdicts: (trial.verdicts || []).map(Boolean) }, kind, place: number, around });
        }
      }
      if (parts.length > 12) bench.forget(name); // 8,100 conversations need not stay in memory
      const found = shown.hits.length;
      told.textContent = place + 1 < parts.length ? `${found} found, ${Math.floor(100 * (place + 1) / parts.length)} % read …` : `${found} found.`;
      if (place % 4 === 3) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
    }
    shown.downloads.hidden = !shown.hits.length;
    shown.order();
  }

  function examples(site) {
    const asked = ["as an AI", "happy to", "I understand", "my own"].map((q) => [`“${q}”`, { q, order: "worst" }]);
    if (site.judges.length) asked.push(["“caved” in what judges say", { q: "caved", in: "reasons", order: "worst" }]);
    return el("p", {}, "For example: ", asked.map(([words, fields], place) => [place ? " · " : "", el("a", { href: bench.address("search", fields) }, words)]));
  }

  async function draw(given) {
    const site = bench.site();
    const told = el("output", { "aria-live": "polite" });
    const text = el("input", { type: "search", id: "q", value: given.get("q") || "", autocomplete: "off", size: 30 });
    const select = (id, pairs) => el("select", { id }, pairs.map(([value, name]) => el("option", { value, selected: value === (given.get(id) || pairs[0][0]) || null }, name)));
    const by = select("by", [["", "exactly this"], ["words", "all of these words"]]);
    const where = select("in", [["answers", "answers"], ...(site.judges.length ? [["reasons", "judges' reasons"]] : []), ["all", "everything, thoughts too"]]);
    const scenario = select("s", [["", "all scenarios"], ...site.scenarios.map((each) => [each.id, each.title])]);
    const order = select("order", [["", "as on the board"], ["worst", "lowest score first"], ["best", "highest score first"]]);
    const model = select("m", [["", "all models"], ...site.models.map((each) => [each.id, bench.called(each)])]);
    const form = el("form.filters", { role: "search", onsubmit: (event) => {
      event.preventDefault();
      bench.go("search", { q: text.value.trim(), by: by.value, in: where.value === "answers" ? "" : where.value, s: scenario.value, m: model.value, order: order.value });
    } }, el("label", {}, "Text", text), el("label", {}, "Find", by), el("label", {}, "In", where), el("label", {}, "Scenario", scenario), el("label", {}, "Model", model), site.judges.length > 0 && el("label", {}, "Order", order),
    el("button", { type: "submit" }, "Search"), told);
    if (!(given.get("q") || "").trim()) {
      turn += 1;
      return [el("h1", {}, "Search"), form, examples(site)];
    }
    if (given.get("s")) bench.scenarioAt(given.get("s"));
    if (given.get("m")) bench.modelAt(given.get("m"));
    told.textContent = "Reading …";
    const shown = results(given);
    search(given, shown, told).catch((error) => { told.textContent = String(error.message); });
    return [el("h1", {}, `Search: ${given.get("q")}`), form, shown.list, shown.pager, shown.downloads];
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
