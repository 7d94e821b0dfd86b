// One map of models × scenarios, by experiment: how much of the best each model kept, each cell leading to its answer.
"use strict";
{
  const { el, says } = bench;
  const { name } = facets;
  const FIRST = 120; // rows shown at once

  function draw(site, drawn, cells) {
    const { models, scenarios } = site;
    const experiments = [...new Set(scenarios.map((each) => each.experiment))];
    const of = (experiment) => [...scenarios.keys()].filter((s) => scenarios[s].experiment === experiment);
    const columns = experiments.flatMap((experiment) => of(experiment).map((s, at) => ({ s, first: at === 0 })));
    let shown = [];
    let everything = false;
    let sorted = null; // a scenario, or null for the ranking
    function sortButton(s) {
      const [words, label] = s === null ? ["Index", "Sort by Index"]
        : [scenarios[s].title, `Sort by ${scenarios[s].title}, worst first`];
      const sort = () => { sorted = sorted === s ? null : s; fill(); };
      return el("button.sort", { type: "button", "data-s": s ?? "", "aria-label": label, onclick: sort }, words);
    }
    const heads = el("thead", {},
      el("tr", {}, el("th", { rowspan: 2, scope: "col", class: "text" }, "Model"),
        el("th", { rowspan: 2, scope: "col" }, sortButton(null)),
        experiments.map((experiment) => el("th",
          { colspan: of(experiment).length, scope: "colgroup", class: "group" }, experiment.replaceAll("_", " ")))),
      el("tr", {}, columns.map(({ s, first }) =>
        el("th", { scope: "col", class: first ? "first" : null, title: scenarios[s].title }, sortButton(s)))));
    const body = el("tbody", {});
    const showAll = () => { everything = true; fill(); };
    const more = tables.button("", showAll);
    function cell(place, { s, first }) {
      const found = cells[place][s];
      if (!found) return el("td", { class: `none${first ? " first" : ""}` }, "–");
      const [share, held, judged, runs, worst] = found;
      const { id, title } = scenarios[s];
      const what = `${name(models[place])}, ${title}: ${share} % of its points`
        + `${judged ? `, held in ${held} of ${judged}` : ""}; opens run ${worst}${runs > 1 ? ", the worst" : ""}`;
      const href = bench.address("trajectory", { model: models[place].id, scenario: id, run: worst });
      const heat = `heat-${Math.min(10, Math.round(share / 10))}`;
      return el("td", { class: `${heat}${first ? " first" : ""}`, "data-value": share },
        el("a", { href, ...says(what) }, share));
    }
    function row(place) {
      const { rank, label, index } = models[place];
      const link = bench.modelLink(place);
      link.title = bench.visible(label);
      return el("tr", {}, el("th.text", { scope: "row" }, rank && el("small", {}, `${rank} `), link),
        el("td", {}, bench.number(index)), columns.map((column) => cell(place, column)));
    }
    function fill() {
      const all = shown.filter((place) => cells[place].some(Boolean));
      const share = (place) => (cells[place][sorted] ? cells[place][sorted][0] : 1e3);
      if (sorted !== null) all.sort((a, b) => share(a) - share(b));
      const some = everything ? all : all.slice(0, FIRST);
      body.replaceChildren(...some.map(row));
      const order = sorted === null ? "descending" : "ascending";
      for (const button of heads.querySelectorAll("button.sort")) {
        const here = button.dataset.s === String(sorted ?? "");
        button.closest("th").setAttribute("aria-sort", here ? order : "none");
      }
      more.hidden = some.length === all.length;
      more.textContent = `Show all ${all.length} models`;
    }
    const picked = facets.form(drawn.models, (found) => { shown = found; fill(); });
    const steps = Array.from({ length: 11 }, (_, at) => el(`i.heat-${at}`, {}));
    addEventListener("beforeprint", showAll); // paper has no button for the others
    picked.apply();
    return [
      el("h1", {}, "All answers on one map"),
      el("p.lead", {}, "Each cell: the share of a scenario's points of the Index that a model kept, mean over its runs."
        + " Open one to read the answer behind it, the worst of several runs first."),
      picked.form,
      el("div.scale", { "aria-hidden": "true" }, el("span", {}, "0 %, lost"), steps, el("span", {}, "100 %, kept")),
      el("div.mapped", { tabindex: 0, role: "group", "aria-label": "Models by scenarios" },
        el("table.map", {}, heads, body)),
      more,
    ];
  }
  addEventListener("DOMContentLoaded", () => bench.page(async () => {
    const [drawn, cells] = await Promise.all([bench.load("plots"), bench.load("map")]);
    return draw(bench.site(), drawn, cells);
  }));
}
