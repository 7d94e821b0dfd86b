// Full text over all answers: the chunks are read one after the other and hits appear as they are found. No index is
// shipped, so any piece of text in any script is found, and nothing is loaded before the first search.
// 8,100 conversations, 29 MB, are read in about a second from here; the first hits appear within half a second.
"use strict";
{
  const { el } = bench;
  const site = bench.site();
  const [AT_ONCE, AROUND, AHEAD] = [50, 90, 6]; // hits on a page, signs beside a match, chunks on their way
  let turn = 0;
  // The text around the first match; null unless every pattern matches.
  function hit(text, wanted) {
    const at = wanted.map((each) => text.search(each));
    if (at.includes(-1)) return null;
    const first = Math.max(0, Math.min(...at) - AROUND);
    const end = Math.min(...at) + AROUND + 60;
    return `${first > 0 ? "…" : ""}${text.slice(first, end)}${end < text.length ? "…" : ""}`;
  }
  // What of a trial is searched: which kind of text, the text, and its place among the answers or the judges.
  function texts(trial, where) {
    const kinds = { answers: ["answer"], reasons: ["judge"] }[where] || Object.keys(KINDS);
    const said = (trial.said?.exchanges || []).flatMap(({ answer, thought, reasoning }, place) =>
      [["answer", answer, place], ["thought", thought, place], ["reasoning", reasoning, place]]);
    const judged = (trial.verdicts || []).map((verdict, place) => ["judge", verdict?.reasoning, place]);
    return [...said, ...judged].filter(([kind, text]) => text && kinds.includes(kind));
  }
  const KINDS = { answer: "answer", thought: "private thought", reasoning: "reasoning", judge: "judge" };
  // Pages of hits, which grow while the rest is read.
  function results(given) {
    const wanted = conversation.patterns(given.get("q"), given.get("by"));
    const list = el("ol.answers", { "aria-label": "Hits" });
    const pager = bench.pager((step) => {
      page += step;
      fill();
      list.scrollIntoView({ block: "nearest", behavior: "instant" });
    });
    const hits = [];
    let page = 0;
    function item({ model, trial, kind, place, around }) {
      // Marks whose other half is beyond the excerpt say nothing.
      const shown = el("p", { dir: "auto" }, markdown.inline(around)
        .map((part) => (typeof part === "string" ? part.replaceAll("**", "") : part)));
      conversation.highlight(shown, wanted);
      const fields = new URLSearchParams({ q: given.get("q"), by: given.get("by") || "", hit: kind, at: place });
      return el("li", {}, el("header", {},
        el("a", { href: `${bench.trialAddress(model, trial.s, trial)}&${fields}` },
          bench.named(site.models[model]), `, ${site.scenarios[trial.s].title}, run ${trial.run}`),
        el("span.mark.plain", {}, KINDS[kind]), conversation.outcome(trial)), shown);
    }
    const pages = () => pager.set(page, Math.max(0, Math.ceil(hits.length / AT_ONCE) - 1));
    function fill() {
      list.replaceChildren(...hits.slice(page * AT_ONCE, (page + 1) * AT_ONCE).map(item));
      list.start = page * AT_ONCE + 1;
      pages();
    }
    // All hits are known: those of the address's order come first, unknown scores last.
    function finish() {
      downloads.hidden = !hits.length;
      const sign = { worst: 1, best: -1 }[given.get("order")];
      if (!sign) return;
      hits.sort((a, b) => sign * ((a.trial.share ?? 2 * sign) - (b.trial.share ?? 2 * sign)));
      fill();
    }
    function add(found) {
      hits.push(found);
      if (Math.floor((hits.length - 1) / AT_ONCE) === page) list.append(item(found));
      else if (hits.length % AT_ONCE === 1) pages();
    }
    const COLUMNS = ["model", "model_id", "scenario", "run", "system_variant", "delivery_mode", "found_in", "number",
      "text"];
    const save = () => tables.download("search", "csv", tables.lines([COLUMNS, ...hits.map((found) => {
      const { s, run, v, d } = found.trial;
      const { id, label } = site.models[found.model];
      return [label, id, site.scenarios[s].id, run, v, d, KINDS[found.kind], found.place + 1, found.around].map(String);
    })]));
    const downloads = el("p.downloads", { hidden: true }, tables.button("CSV", save, "Download all hits as CSV"));
    return { list, pager: pager.bar, downloads, add, finish, wanted, hits };
  }
  async function search(given, models, scenarios, shown, told) {
    const mine = turn;
    // What to read, model by model, and the next few chunks on their way while one is read: a host is often far away.
    const parts = models.flatMap((model) =>
      [...new Map(scenarios.map((at) => [conversation.chunk(model, at), model]))]);
    const coming = [];
    for (const [place, [name, model]] of parts.entries()) {
      for (const [next] of parts.slice(coming.length, place + AHEAD)) coming.push(bench.load(next));
      for (const each of coming) each?.catch(() => null); // reported where it is awaited
      const { trials } = await coming[place];
      coming[place] = null;
      if (mine !== turn || !shown.list.isConnected && place > 0) return;
      for (const trial of trials.filter((each) => scenarios.includes(each.s))) {
        for (const [kind, text, number] of texts(trial, given.get("in") || "answers")) {
          const around = hit(text, shown.wanted);
          if (around === null) continue;
          const { s, v, d, run, held, word, share } = trial; // what is said in it need not stay in memory
          const kept = { s, v, d, run, held, word, share, said: true, verdicts: (trial.verdicts || []).map(Boolean) };
          shown.add({ model, trial: kept, kind, place: number, around });
        }
      }
      if (parts.length > 12) bench.forget(name); // 8,100 conversations need not stay in memory
      const read = place + 1 < parts.length ? `, ${Math.floor(100 * (place + 1) / parts.length)} % read …` : ".";
      told.textContent = `${shown.hits.length} found${read}`;
      if (place % 4 === 3) await new Promise((resolve) => setTimeout(resolve)); // let the page breathe
    }
    shown.finish();
  }
  function examples() {
    const asked = ["as an AI", "happy to", "I understand", "my own"].map((q) => [`“${q}”`, { q, order: "worst" }]);
    if (site.judges.length) asked.push(["“caved” in what judges say", { q: "caved", in: "reasons", order: "worst" }]);
    return el("p", {}, "For example: ", asked.map(([words, fields], place) =>
      [place ? " · " : "", el("a", { href: bench.address("search", fields) }, words)]));
  }

  async function draw(given) {
    const told = el("output", { "aria-live": "polite" });
    const asked = given.get("q") || "";
    const text = el("input", { type: "search", id: "q", value: asked, autocomplete: "off", size: 30 });
    const judged = site.judges.length > 0;
    const choices = [
      ["Find", "by", [["", "exactly this"], ["words", "all of these words"]]],
      ["In", "in", [["", "answers"], judged && ["reasons", "judges' reasons"], ["all", "everything, thoughts too"]]],
      ["Scenario", "s", [["", "all scenarios"], ...site.scenarios.map((each) => [each.id, each.title])]],
      ["Model", "m", [["", "all models"], ...site.models.map((each) => [each.id, bench.called(each)])]],
      judged && ["Order", "order",
        [["", "as on the board"], ["worst", "lowest score first"], ["best", "highest score first"]]],
    ].filter(Boolean).map(([label, id, pairs]) => [label, id, bench.select(id, pairs.filter(Boolean), given.get(id))]);
    const onsubmit = (event) => {
      event.preventDefault();
      const fields = Object.fromEntries(choices.map(([, id, { value }]) => [id, value]));
      bench.go("search", { q: text.value.trim(), ...fields });
    };
    const form = el("form.filters", { role: "search", onsubmit }, el("label", {}, "Text", text),
      choices.map(([label, , select]) => el("label", {}, label, select)),
      el("button", { type: "submit" }, "Search"), told);
    turn += 1; // a search before this one ends
    if (!asked.trim()) return [el("h1", {}, "Search"), form, examples()];
    const scenarios = given.get("s") ? [bench.scenarioAt(given.get("s"))] : [...site.scenarios.keys()];
    const models = given.get("m") ? [bench.modelAt(given.get("m"))] : [...site.models.keys()];
    told.textContent = "Reading …";
    const shown = results(given);
    search(given, models, scenarios, shown, told).catch((error) => { told.textContent = String(error.message); });
    return [el("h1", {}, `Search: ${asked}`), form, shown.list, shown.pager, shown.downloads];
  }
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
