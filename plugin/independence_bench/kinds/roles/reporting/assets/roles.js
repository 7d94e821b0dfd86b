// What the pages of an edition of roles show in their own way: role stability, and where its interviews are.
"use strict";
{
  const { el, percent, section } = bench;
  // The numbers with their chance level, and where the personas moved.
  function stability(site, at, model, numbers) {
    const { moved, rank, by_persona, by_run, figures = [], numbers: all } = model.roles || {};
    if (!moved) return [numbers(model), interviews(site, at, model), el("p.note", {},
      "Its role stability is not computed: an interview is missing, or the numbers could not be made here.")];
    const shown = new Map(all.map(([name, , text]) => [name, text]));
    return [
      bench.numbers([
        [rank, "rank"], [shown.get("Rank order"), "rank order; 1 is best"],
        [by_persona, "rank order with other people of this kind"],
        [by_run !== "–" && by_run, "rank order with these people asked again"],
        [shown.get("Cardinal"), "Cardinal score"], [shown.get("Unparsed"), "answers that could not be read"],
        [`${model.measured} of ${model.planned}`, "interviews measured"],
      ].filter(([value]) => value)),
      interviews(site, at, model),
      figures.length > 0 && section("figures", "Figures", el("div.figures", {}, figures.map(([file, title]) =>
        el("figure.role", {}, bench.scrolling(title, el("img.drawn", { src: file, alt: title, loading: "lazy" })))))),
      section("all-numbers", "All numbers", bench.table("role stability",
        [["Number", "text"], ["Value", "number"], ["Answers at random", "text"]],
        all.map(([name, value, text, chance]) => [name, { value, show: text }, chance]))),
    ];
  }
  // Every interview, and how far its persona had moved there; known where none is missing.
  function interviews(site, at, model) {
    const { personas, contexts, retests } = site.roles;
    const all = (model.roles && model.roles.moved) || [];
    const interview = (p, c) => ({ s }) => site.scenarios[s].persona === p && site.scenarios[s].context === c;
    const rows = personas.map((persona, p) => {
      const moved = all[p] || [];
      const mean = bench.mean(moved);
      return [persona, { value: mean, show: mean === null ? "–" : el("b", {}, percent(mean)) },
        ...contexts.map((context, c) => {
          const cell = model.cells.findLast(interview(p, c));
          const far = moved[c] ?? null;
          const asked = cell ? cell.runs.filter((each) => each.asked) : [];
          const several = asked.length > 1; // the way moved is the mean over runs: no single one is called by it
          const way = far !== null ? percent(far) : mean === null ? "read"
            : c === 0 ? "start" : retests.includes(c) ? "again" : "read";
          const link = ({ run }) => el("a", {
            href: bench.trialAddress(at, cell.s, { ...cell, run }),
            "aria-label": `${persona}, ${context}, run ${run}${far === null || several ? "" : `: moved ${way}`}`,
          }, several ? `r${run}` : way);
          const links = asked.map((each, place) => [place ? " " : "", link(each)]);
          return {
            value: far, cls: bench.shade(far === null ? null : 1 - far / 0.4),
            show: asked.length ? [several && way !== "read" && `${way} `, links] : "–",
          };
        })];
    });
    rows.sort(([, a], [, b]) => (b.value ?? -1) - (a.value ?? -1));
    return section("moved", "Who moved, and where",
      el("p", {}, `How far each persona's place among the others has moved from its place in “${contexts[0]}”, `,
        "mean over the ten values: 0 % is not at all, answers at random move about a third of the way; “again” is ",
        "the start repeated. The personas that moved most come first; open a cell to read the interview."),
      bench.table("who moved",
        [["Persona", "text"], ...["Mean", ...contexts].map((head) => [head, "number", true])], rows));
  }
  // Every number of both, and on which values the one keeps its personas in order and the other does not.
  function compare(site, sides, [one, other]) {
    if (!one.roles || !other.roles) return el("p.note", {}, "The role stability of one of them is not computed.");
    const labels = sides.map((each) => [bench.called(site.models[each.model]), "number", true]);
    return section("apart", "How they differ",
      el("p", {}, `With other people of this kind the rank order would be ${one.roles.by_persona} for the left `,
        `and ${other.roles.by_persona} for the right. How sure the difference is, `,
        el("code", {}, "independence-bench compare"), " tells."),
      bench.table("numbers side by side", [["Number", "text"], ...labels, ["Answers at random", "text"]],
        one.roles.numbers.map(([name, value, text, chance]) => {
          const [, against, text_other] = other.roles.numbers.find(([each]) => each === name) || [];
          return [name, { value, show: text }, { value: against ?? null, show: text_other || "–" }, chance];
        })));
  }
  // The same persona in other contexts.
  function elsewhere(site, scenario, to) {
    const { persona } = site.scenarios[scenario];
    const places = [...site.scenarios.keys()].filter((place) =>
      place !== scenario && site.scenarios[place].persona === persona);
    return el("p", {}, `${site.roles.personas[persona]} in other contexts: `, places.map((place, at) =>
      [at ? " · " : "", el("a", { href: to(place) }, site.roles.contexts[site.scenarios[place].context])]));
  }

  Object.assign(bench.kind, {
    model: stability, compare, elsewhere, answers: "All interviews",
    chunk: (scenario) => `-${scenario.persona + 1}`, // all of a model's interviews together would be megabytes
  });
}
