// What the pages of edition v3 show in their own way: the reason picture, and every case as a tree.
"use strict";
{
  const { el } = bench;

  // A stance on a line from the other option (left) to the option chosen first (right).
  function needle(stance) {
    if (stance === null || stance === undefined) return null;
    const label = stance >= 0 ? `${stance} for its first choice` : `${-stance} for the other option`;
    return el("svg.interval.needle", { viewBox: "0 0 204 16", role: "img", "aria-label": label },
      el("line.axis", { x1: 2, x2: 202, y1: 13, y2: 13 }), el("line.axis", { x1: 102, x2: 102, y1: 3, y2: 13 }),
      el("line.narrow", { x1: 102, x2: 102 + stance, y1: 8, y2: 8 }), el("circle.dot", { cx: 102 + stance, cy: 8, r: 4 }));
  }

  // What a branch says of its own stands marked; what other branches say as well is folded.
  const sentences = (text) => bench.visible(text).split(/(?<=[.!?])\s+|\n+/).filter(Boolean);
  function told(text, others) {
    const parts = [];
    for (const sentence of sentences(text)) {
      const shared = others.some((other) => other.includes(sentence));
      if (parts.length && parts.at(-1).shared === shared) parts.at(-1).said.push(sentence);
      else parts.push({ shared, said: [sentence] });
    }
    return parts.map(({ shared, said }) => (shared
      ? el("details.common", {}, el("summary", {}, `${said.join(" ").split(/\s+/).length} words as in another branch`), el("p", {}, said.join(" ")))
      : el("p", {}, el("mark.own", {}, said.join(" ")))));
  }
  function compared(steps, trial, texts) {
    const own = [...steps].map(([step, parts]) => [step, parts, trial.said.exchanges.filter((each) => each.item === step).map((each) => texts[each.asked])]);
    for (const [step, parts, asked] of own) {
      const others = own.filter(([other]) => other !== step).flatMap(([, , all]) => all.map(sentences));
      parts.filter((part) => part.matches(".human")).forEach((turn, place) => turn.querySelector(".prose").replaceWith(el("div.prose.md", { dir: "auto" }, told(asked[place], others))));
    }
  }

  // First answers on top, the branches beside each other below them, what follows a branch at its end.
  function tree(trial, drawn, texts) {
    if (!trial.read) return drawn;
    const { exchanges } = trial.said;
    const { steps } = bench.site().dossiers;
    const put = drawn.slice(0, drawn.length - 2 * exchanges.length);
    const said = drawn.slice(drawn.length - 2 * exchanges.length);
    const parts = new Map();
    exchanges.forEach((each, place) => {
      if (!parts.has(each.item)) parts.set(each.item, []);
      parts.get(each.item).push(...said.slice(2 * place, 2 * place + 2));
    });
    const shown = (step, level) => {
      const [words, stance, , reason] = trial.read[step] || ["", null, "", false];
      return el(`section.step${reason ? ".reason" : ""}`, {}, el(level, {}, steps[step], reason ? el("small", {}, " should move") : null),
        el("p.facts", {}, needle(stance), " ", el("bdi", {}, words)), parts.get(step));
    };
    const of = (role) => [...parts.keys()].filter((step) => (trial.read[step] || [])[2] === role);
    const branches = new Set(of("branch"));
    if (branches.size > 1) compared([...parts].filter(([step]) => branches.has(step)), trial, texts);
    return [...put, ...of("start").map((step) => shown(step, "h2")),
      of("branch").length > 0 && el("h2", {}, "Ten branches, each from these answers"),
      el("div.branches", {}, of("branch").map((step) => shown(step, "h3"))),
      of("after").length > 0 && el("h2", {}, "And afterwards"),
      el("div.branches", {}, of("after").map((step) => shown(step, "h3")))].filter(Boolean);
  }

  function model(site, at, data, numbers) {
    const found = data.dossiers;
    if (!found) return [numbers(data), el("p.note", {}, "Nothing is computed: a case is missing, too little can be read, or the numbers could not be made here.")];
    return [
      el("ul.numbers", {}, [[found.index, "Index, −100 to 100 (experimental)"], [found.interval, "95 % interval, on other matters"], found.rank && [String(found.rank), "rank"],
        found.word && [found.word, "in a word"], [found.binding, "what holds it down"]].filter(Boolean).map(([value, what]) => el("li", {}, el("b", {}, value), what))),
      el("section", { "aria-labelledby": "picture" }, el("h2", { id: "picture" }, "The reason picture"),
        bench.table("picture", [["Moved by", "text"], ["0 to 1", "text"], ["Movement", "number"], ["95 %", "text"]],
          found.picture.map(([name, bar, shown, reach]) => [name, el("code", {}, bar), { value: Number.parseFloat(shown), show: shown }, reach]))),
      el("section", { "aria-labelledby": "cases" }, el("h2", { id: "cases" }, "Every case"),
        el("p", {}, "How far each branch moved it, from 0 to 1. Open a case to read the answers as a tree."),
        bench.table("cases", [["Matter", "text"], ["Run", "number"], ["First stance", "text"], ...found.branches.map((name) => [name, "number", true])],
          found.cases.map(([s, run, start, moved]) => [el("a", { href: bench.trialAddress(at, s, { run }) }, site.scenarios[s].title || site.scenarios[s].id), run, el("bdi", {}, start),
            ...moved.map((share) => ({ value: share, cls: share === null ? "none" : "", show: share === null ? "–" : share.toFixed(2) }))]))),
      el("section", { "aria-labelledby": "facets" }, el("h2", { id: "facets" }, "The Index by parts of the cases"),
        bench.table("parts", [["Cases by", "text"], ["Value", "text"], ["Cases", "number"], ["Index", "number", true], ["95 %", "text"]],
          found.facets.map(([facet, value, cases, index, reach]) => [facet, value, cases, { value: index, show: bench.number(index) }, reach]))),
      el("section", { "aria-labelledby": "all-numbers" }, el("h2", { id: "all-numbers" }, "All numbers"),
        bench.table("numbers", [["Number", "text"], ["Value", "number"], ["95 %", "text"], ["What it says", "text"]],
          found.numbers.map(([name, shown, reach, means]) => [name, { value: Number.parseFloat(shown.replace("−", "-")), show: shown }, reach, means]))),
    ];
  }

  function compare(site, sides, models) {
    if (!models.every((each) => each.dossiers)) return el("p.note", {}, "The numbers of one of them are not computed.");
    const labels = sides.map((each) => bench.called(site.models[each.model]));
    const [one, other] = models.map((each) => each.dossiers);
    return el("section", { "aria-labelledby": "apart" }, el("h2", { id: "apart" }, "How they differ"),
      el("p", {}, "How sure the difference is, ", el("code", {}, "independence-bench compare"), " tells, and which branch makes it."),
      bench.table("numbers side by side", [["Number", "text"], [labels[0], "number"], [labels[1], "number"]],
        [["Index", one.index, other.index], ...one.numbers.map(([name, shown], place) => [name, shown, other.numbers[place][1]])]));
  }

  Object.assign(bench.kind, { model, compare, conversation: tree, answers: "All cases" });
}
