// What the pages of an edition of roles show in their own way: role stability, and where its interviews are.
"use strict";
{
  const { el } = bench;

  // The numbers with their chance level, and where the personas moved.
  function stability(site, at, model, numbers) {
    const own = model.roles;
    if (!own || !(own.moved || []).length) return [numbers(model), interviews(site, at, model), el("p.note", {}, "Its role stability is not computed: an interview is missing, or the numbers could not be made here.")];
    return [
      el("ul.numbers", {}, [own.rank && [own.rank, "rank"], [shown(own, "Rank order"), "rank order; 1 is best"], [own.by_persona, "rank order with other people of this kind"],
        own.by_run !== "–" && [own.by_run, "rank order with these people asked again"], [shown(own, "Cardinal"), "Cardinal score"], [shown(own, "Unparsed"), "answers that could not be read"],
        [`${model.measured} of ${model.planned}`, "interviews measured"]].filter((each) => each && each[0]).map(([value, what]) => el("li", {}, el("b", {}, value), what))),
      interviews(site, at, model),
      (own.figures || []).length > 0 && el("section", { "aria-labelledby": "figures" }, el("h2", { id: "figures" }, "Figures"),
        el("div.figures", {}, own.figures.map(([file, title]) => el("figure.role", {}, bench.scrolling(title, el("img.drawn", { src: file, alt: title, loading: "lazy" })))))),
      el("section", { "aria-labelledby": "all-numbers" }, el("h2", { id: "all-numbers" }, "All numbers"),
        bench.table("role stability", [["Number", "text"], ["Value", "number"], ["Answers at random", "text"]],
          own.numbers.map(([name, value, text, chance]) => [name, { value, show: text }, chance]))),
    ];
  }

  // A number of a model by its name, as text.
  function shown(own, called) {
    const [, , text] = own.numbers.find(([name]) => name === called) || [];
    return text;
  }

  // Every interview, and how far its persona had moved there; known where none is missing.
  function interviews(site, at, model) {
    const all = (model.roles && model.roles.moved) || [];
    const first = site.roles.contexts[0];
    const cells = new Map(model.cells.map((cell) => [`${site.scenarios[cell.s].persona},${site.scenarios[cell.s].context}`, cell]));
    const rows = site.roles.personas.map((persona, p) => {
      const moved = all[p] || [];
      const known = moved.filter((each) => each !== null && each !== undefined);
      const mean = known.length ? known.reduce((sum, each) => sum + each, 0) / known.length : null;
      return { mean, cells: [persona, { value: mean, show: mean === null ? "–" : el("b", {}, bench.percent(mean)) },
        ...site.roles.contexts.map((context, c) => {
          const cell = cells.get(`${p},${c}`);
          const far = moved[c] ?? null;
          const asked = cell ? cell.runs.filter((each) => each.asked) : [];
          const several = asked.length > 1; // the way moved is the mean over runs: no single one is called by it
          const way = far !== null ? bench.percent(far) : !known.length ? "read" : c === 0 ? "start" : site.roles.retests.includes(c) ? "again" : "read";
          return { value: far, cls: far === null ? "none" : bench.shade(1 - Math.min(1, far / 0.4)), show: asked.length ? [several && way !== "read" && `${way} `, asked.map((each, place) => [place ? " " : "",
            el("a", { href: bench.trialAddress(at, cell.s, { run: each.run, v: cell.v, d: cell.d }), "aria-label": `${persona}, ${context}, run ${each.run}${far === null || several ? "" : `: moved ${way}`}` },
              several ? `r${each.run}` : way)])] : "–" };
        })] };
    });
    rows.sort((a, b) => (b.mean ?? -1) - (a.mean ?? -1));
    return el("section", { "aria-labelledby": "moved" }, el("h2", { id: "moved" }, "Who moved, and where"),
      el("p", {}, `How far each persona's place among the others has moved from its place in “${first}”, mean over the ten values: 0 % is not at all, answers at random move about a third of the way; “again” is the start repeated. The personas that moved most come first; open a cell to read the interview.`),
      bench.table("who moved", [["Persona", "text"], ["Mean", "number", true], ...site.roles.contexts.map((context) => [context, "number", true])], rows.map((each) => each.cells)));
  }

  // Every number of both, and on which values the one keeps its personas in order and the other does not.
  function compare(site, sides, [one, other]) {
    if (!one.roles || !other.roles) return el("p.note", {}, "The role stability of one of them is not computed.");
    const [label, label_other] = sides.map((each) => bench.called(site.models[each.model]));
    return el("section", { "aria-labelledby": "apart" }, el("h2", { id: "apart" }, "How they differ"),
      el("p", {}, `With other people of this kind the rank order would be ${one.roles.by_persona} for the left and ${other.roles.by_persona} for the right. `,
        "How sure the difference is, ", el("code", {}, "independence-bench compare"), " tells."),
      bench.table("numbers side by side", [["Number", "text"], [label, "number", true], [label_other, "number", true], ["Answers at random", "text"]],
        one.roles.numbers.map(([name, value, text, chance]) => {
          const [, against, text_other] = other.roles.numbers.find(([each]) => each === name) || [];
          return [name, { value, show: text }, { value: against ?? null, show: text_other || "–" }, chance];
        })));
  }

  // The same persona in other contexts.
  function elsewhere(site, scenario, to) {
    const { persona } = site.scenarios[scenario];
    const contexts = site.scenarios.map((each, place) => place).filter((place) => place !== scenario && site.scenarios[place].persona === persona);
    return el("p", {}, `${site.roles.personas[persona]} in other contexts: `, contexts.map((each, place) =>
      [place ? " · " : "", el("a", { href: to(each) }, site.roles.contexts[site.scenarios[each].context])]));
  }

  Object.assign(bench.kind, {
    model: stability, compare, elsewhere, answers: "All interviews",
    chunk: (scenario) => `-${scenario.persona + 1}`, // all of a model's interviews together would be megabytes
  });
}
