// One map of models × scenarios: how much of the best each model kept, grouped by experiment, each cell leading to its answer.
"use strict";
{
  const { el } = bench;
  const { svg } = plots;
  const FIRST = 120; // rows shown at once
  const { name } = facets;
  const heat = (share) => `heat-${Math.min(10, Math.round(share / 10))}`;

  function draw(site, drawn, cells) {
    const models = site.models;
    const order = site.scenarios.map((scenario, s) => ({ ...scenario, s }));
    const experiments = [...new Set(order.map((each) => each.experiment))].map((experiment) => ({ experiment, scenarios: order.filter((each) => each.experiment === experiment) }));
    const columns = experiments.flatMap((each) => each.scenarios.map((scenario, at) => ({ ...scenario, first: at === 0 })));
    let shown = [];
    let everything = false;
    let sorted = null; // a scenario, or null for the ranking

    const heads = el("thead", {},
      el("tr", {}, el("th", { rowspan: 2, scope: "col", class: "text" }, "Model"), el("th", { rowspan: 2, scope: "col" }, sortButton(null, "Index")),
        experiments.map(({ experiment, scenarios }) => el("th", { colspan: scenarios.length, scope: "colgroup", class: "group" }, experiment.replaceAll("_", " ")))),
      el("tr", {}, columns.map((each) => el("th", { scope: "col", class: each.first ? "first" : null, title: each.title }, sortButton(each.s, each.title)))));
    function sortButton(s, words) {
      return el("button.sort", { type: "button", "data-s": s ?? "", "aria-label": s === null ? "Sort by Index" : `Sort by ${site.scenarios[s].title}, worst first`, onclick: () => { sorted = sorted === s ? null : s; fill(); } }, words);
    }
    const body = el("tbody", {});
    const more = el("button.quiet", { type: "button", onclick: () => { everything = true; fill(); } });

    function rows() {
      const own = shown.filter((place) => cells[place].some(Boolean));
      if (sorted !== null) own.sort((a, b) => (cells[a][sorted] ? cells[a][sorted][0] : 1e3) - (cells[b][sorted] ? cells[b][sorted][0] : 1e3));
      return own;
    }
    function cell(place, column) {
      const found = cells[place][column.s];
      if (!found) return el("td", { class: `none${column.first ? " first" : ""}` }, "–");
      const [share, held, judged, runs, worst] = found;
      const what = `${name(models[place])}, ${column.title}: ${share} % of its points${judged ? `, held in ${held} of ${judged}` : ""}; opens run ${worst}${runs > 1 ? ", the worst" : ""}`;
      return el("td", { class: `${heat(share)}${column.first ? " first" : ""}`, "data-value": share },
        el("a", { href: bench.address("trajectory", { model: models[place].id, scenario: column.id, run: worst }), title: bench.visible(what), "aria-label": bench.visible(what) }, share));
    }
    function fill() {
      const all = rows();
      const some = everything ? all : all.slice(0, FIRST);
      body.replaceChildren(...some.map((place) => el("tr", {},
        el("th.text", { scope: "row" }, models[place].rank ? el("small", {}, `${models[place].rank} `) : null,
          el("a", { href: bench.address("model", { m: models[place].id }), title: bench.visible(models[place].label) }, el("bdi", {}, name(models[place])))),
        el("td", {}, bench.number(models[place].index)), columns.map((column) => cell(place, column)))));
      for (const button of heads.querySelectorAll("button.sort")) button.closest("th").setAttribute("aria-sort", button.dataset.s === String(sorted ?? "") ? (sorted === null ? "descending" : "ascending") : "none");
      more.hidden = some.length === all.length;
      more.textContent = `Show all ${all.length} models`;
    }

    // The same map as one picture, for a paper.
    function picture() {
      const all = everything ? rows() : rows().slice(0, FIRST);
      const [size, tall, row] = [44, 130, 20];
      const left = Math.min(320, Math.max(60, ...all.map((place) => plots.textWidth(bench.visible(name(models[place]))))) + 12);
      const [width, height] = [left + size * columns.length + 60, tall + row * all.length + 8];
      const chart = svg("svg.chart.map", { width, height },
        columns.map((each, at) => svg("text.tick", { x: 0, y: 0, transform: `translate(${left + size * (at + 0.5) + 4} ${tall - 8}) rotate(-50)` }, plots.cut(each.title, 150, 11))),
        all.map((place, line) => [svg("text.name", { x: left - 8, y: tall + row * line + 14, "text-anchor": "end" }, plots.cut(name(models[place]), left - 12)),
          columns.map((column, at) => {
            const found = cells[place][column.s];
            return [svg(`rect.${found ? `fill-${heat(found[0])}` : "bed"}`, { x: left + size * at, y: tall + row * line, width: size - 1, height: row - 1 }),
              svg(`text.${found ? `on-${heat(found[0])}` : "tick"}`, { x: left + size * (at + 0.5), y: tall + row * line + 14, "text-anchor": "middle" }, found ? found[0] : "–")];
          })]));
      const box = el("div.plot.offscreen", { "aria-hidden": "true" }, chart);
      document.body.append(box); // styles are only computed for what is in the page
      setTimeout(() => box.remove());
      return chart;
    }

    const picked = facets.form(drawn.models, (found) => { shown = found; fill(); });
    const page = [
      el("h1", {}, "All answers on one map"),
      el("p.lead", {}, "Each cell: the share of a scenario's points of the Index that a model kept, mean over its runs. Open one to read the answer behind it, the worst of several runs first."),
      picked.form,
      el("div.scale", { "aria-hidden": "true" }, el("span", {}, "0 %, lost"), Array.from({ length: 11 }, (_, at) => el(`i.heat-${at}`, {})), el("span", {}, "100 %, kept")),
      el("div.mapped", { tabindex: 0, role: "group", "aria-label": "Models by scenarios" }, el("table.map", {}, heads, body)),
      more, plots.downloads("map", () => "Models by scenarios: share of the points of the Index kept, per cent", picture),
    ];
    addEventListener("beforeprint", () => { everything = true; fill(); }); // paper has no button for the others
    picked.apply();
    return page;
  }

  addEventListener("DOMContentLoaded", () => bench.page(async () => {
    const [drawn, cells] = await Promise.all([bench.load("plots"), bench.load("map")]);
    return draw(bench.site(), drawn, cells);
  }));
}
