// What the pages of edition v3 show in their own way: the reason picture, and every case as a tree.
"use strict";
{
  const { el, section } = bench;
  // A stance on a line from the other option (left) to the option chosen first (right).
  function needle(stance) {
    if (stance === null || stance === undefined) return null;
    const label = stance >= 0 ? `${stance} for its first choice` : `${-stance} for the other option`;
    return el("svg.interval.needle", { viewBox: "0 0 204 16", role: "img", "aria-label": label },
      el("line.axis", { x1: 2, x2: 202, y1: 13, y2: 13 }), el("line.axis", { x1: 102, x2: 102, y1: 3, y2: 13 }),
      el("line.narrow", { x1: 102, x2: 102 + stance, y1: 8, y2: 8 }),
      el("circle.dot", { cx: 102 + stance, cy: 8, r: 4 }));
  }
  // What only this branch says is marked; what other branches say as well is folded.
  const sentences = (text) => bench.visible(text).split(/(?<=[.!?])\s+|\n+/).filter(Boolean);
  function told(words, others) {
    const parts = [];
    for (const sentence of sentences(words)) {
      const shared = others.includes(sentence);
      if (parts.length && parts.at(-1).shared === shared) parts.at(-1).text += ` ${sentence}`;
      else parts.push({ shared, text: sentence });
    }
    return parts.map(({ shared, text }) => (shared ? el("details.common", {},
      el("summary", {}, `${text.split(/\s+/).length} words as in another branch`), el("p", {}, text))
      : el("p", {}, el("mark.own", {}, text))));
  }
  function compare_branches(branches, trial, texts) {
    const asked = (step) => trial.said.exchanges.filter((each) => each.item === step).map((each) => texts[each.asked]);
    for (const [step, turns] of branches) {
      const others = branches.filter(([other]) => other !== step).flatMap(([other]) => asked(other).flatMap(sentences));
      turns.filter((turn) => turn.matches(".human")).forEach((turn, place) => turn.querySelector(".prose")
        .replaceWith(el("div.prose.md", { dir: "auto" }, told(asked(step)[place], others))));
    }
  }
  // First answers on top, the branches beside each other below them, what follows a branch at its end.
  function tree(trial, drawn, texts) {
    if (!trial.read) return drawn;
    const { exchanges } = trial.said;
    const first = drawn.length - 2 * exchanges.length; // the turns before it are put, each exchange has two
    const turns = new Map();
    exchanges.forEach(({ item }, place) => {
      const from = first + 2 * place;
      turns.set(item, [...(turns.get(item) || []), ...drawn.slice(from, from + 2)]);
    });
    const [start, branches, after] = ["start", "branch", "after"].map((role) =>
      [...turns].filter(([step]) => (trial.read[step] || [])[2] === role));
    if (branches.length > 1) compare_branches(branches, trial, texts);
    const shown = (level, steps) => steps.map(([step, own]) => {
      const [words, stance, , reason] = trial.read[step];
      return el(`section.step${reason ? ".reason" : ""}`, {},
        el(level, {}, bench.site().dossiers.steps[step], reason && el("small", {}, " should move")),
        el("p.facts", {}, needle(stance), " ", el("bdi", {}, words)), own);
    });
    const below = (title, steps) =>
      [steps.length > 0 && el("h2", {}, title), el("div.branches", {}, shown("h3", steps))];
    return [...drawn.slice(0, first), ...shown("h2", start),
      ...below("Ten branches, each from these answers", branches), ...below("And afterwards", after)].filter(Boolean);
  }
  function model(site, at, data, numbers) {
    const found = data.dossiers;
    if (!found) return [numbers(data), el("p.note", {},
      "Nothing is computed: a case is missing, too little can be read, or the numbers could not be made here.")];
    return [
      bench.numbers([
        [found.index, "Index, −100 to 100 (experimental)"], [found.interval, "95 % interval, on other matters"],
        found.rank && [found.rank, "rank"], found.word && [found.word, "in a word"],
        [found.binding, "what holds it down"],
      ]),
      section("picture", "The reason picture", bench.table("picture",
        [["Moved by", "text"], ["0 to 1", "text"], ["Movement", "number"], ["95 %", "text"]],
        found.picture.map(([name, bar, shown, reach]) =>
          [name, el("code", {}, bar), { value: Number.parseFloat(shown), show: shown }, reach]))),
      section("cases", "Every case",
        el("p", {}, "How far each branch moved it, from 0 to 1. Open a case to read the answers as a tree."),
        bench.table("cases", [["Matter", "text"], ["Run", "number"], ["First stance", "text"],
          ...found.branches.map((name) => [name, "number", true])],
          found.cases.map(([scenario, run, start, moved]) => [
            el("a", { href: bench.trialAddress(at, scenario, { run }) }, site.scenarios[scenario].title), run,
            el("bdi", {}, start), ...moved.map((share) =>
              ({ value: share, cls: share === null ? "none" : "", show: share === null ? "–" : share.toFixed(2) })),
          ]))),
      section("facets", "The Index by parts of the cases", bench.table("parts",
        [["Cases by", "text"], ["Value", "text"], ["Cases", "number"], ["Index", "number", true], ["95 %", "text"]],
        found.facets.map(([facet, value, cases, index, reach]) =>
          [facet, value, cases, { value: index, show: bench.number(index) }, reach]))),
      section("all-numbers", "All numbers", bench.table("numbers",
        [["Number", "text"], ["Value", "number"], ["95 %", "text"], ["What it says", "text"]],
        found.numbers.map(([name, shown, reach, means]) =>
          [name, { value: Number.parseFloat(shown.replace("−", "-")), show: shown }, reach, means]))),
    ];
  }
  function compare(site, sides, models) {
    const [one, other] = models.map((each) => each.dossiers);
    if (!one || !other) return el("p.note", {}, "The numbers of one of them are not computed.");
    const labels = sides.map((each) => [bench.called(site.models[each.model]), "number"]);
    return section("apart", "How they differ",
      el("p", {}, "How sure the difference is, ", el("code", {}, "independence-bench compare"),
        " tells, and which branch makes it."),
      bench.table("numbers side by side", [["Number", "text"], ...labels],
        [["Index", one.index, other.index],
          ...one.numbers.map(([name, shown], place) => [name, shown, other.numbers[place][1]])]));
  }

  Object.assign(bench.kind, { model, compare, conversation: tree, answers: "All cases" });
}
