// The names that models choose: the popular ones, everybody's own, and those of one model alone.
"use strict";
{
  const { el } = bench;
  const { svg, figure } = plots;
  const { name } = facets;
  const POPULAR = 25;

  function bars(rows, most, unit) {
    return (width) => {
      if (!rows.length) return null;
      const [row, top] = [24, 2];
      const left = Math.min(width * 0.4, Math.max(...rows.map(([word]) => plots.textWidth(bench.visible(word), 13))) + 14);
      const height = top + row * rows.length + 6;
      const x = (count) => left + (width - left - 130) * count / most;
      return svg("svg.chart.bars", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${rows.length} ${unit}` },
        rows.map(([word, runs, models], at) => {
          const y = top + row * at;
          return svg("g.mark", { "data-tip": "", role: "img", "aria-label": `${bench.visible(word)}: chosen in ${runs} ${runs === 1 ? "run" : "runs"} by ${models} ${models === 1 ? "model" : "models"}` },
            svg("rect.hit", { x: 0, y, width, height: row }),
            svg("text.word", { x: left - 8, y: y + 16, "text-anchor": "end" }, plots.cut(word, left - 12, 13)),
            svg("rect.value.shape", { x: left, y: y + 5, width: Math.max(2, x(runs) - left), height: 14 }),
            svg("text.tick", { x: x(runs) + 6, y: y + 16 }, `${runs} ${runs === 1 ? "run" : "runs"}, ${models} ${models === 1 ? "model" : "models"}`));
        }));
    };
  }

  function draw(site, drawn, found) {
    const heading = el("h1", {}, "What the models call themselves");
    if (!found) return [heading, el("p.note", {}, "No verdict of this edition reports a name.")];
    const models = site.models;
    const link = (place) => el("a", { href: bench.address("model", { m: models[place].id }), title: bench.visible(models[place].label) }, el("bdi", {}, name(models[place])));
    const words = (counts) => counts.length ? counts.map(([word, runs], at) => [at ? ", " : "", el("bdi", {}, word), runs > 1 ? el("small", {}, ` ×${runs}`) : null]) : el("small", {}, "none");
    const everybody = el("div", {});
    const alone = el("div", {});
    const picked = facets.form(drawn.models, (shown) => {
      const there = new Set(shown);
      const rows = found.models.filter(([place]) => there.has(place));
      everybody.replaceChildren(bench.table("names by model", [["Model", "text"], ["Names (runs)", "text"], ["Genders (runs)", "text"], ["Runs", "number", true], ["Without a name", "number", true]],
        rows.map(([place, runs, declined, own, genders]) => [link(place), el("span", {}, words(own)), el("span", {}, words(genders)), { value: runs, show: runs }, { value: declined, show: declined }])));
      const only = found.alone.filter(([place]) => there.has(place));
      alone.replaceChildren(only.length ? el("ul.ledger", {}, only.map(([place, own]) => el("li", {}, el("strong", {}, link(place)), el("span", {}, words(own))))) : el("p.aside", {}, "None of these models has a name to itself."));
      tables.prepare(everybody);
    });
    const page = [
      heading,
      el("p.lead", {}, `From the verdicts on ${found.runs} runs, each name counted once per run; in ${found.declined} of them the model chose no name.`),
      figure({ name: "names", title: "The most popular names", caption: "Length: runs in which a name was chosen.", none: "No name was chosen.", draw: bars(found.popular.slice(0, POPULAR), Math.max(1, ...found.popular.map(([, runs]) => runs)), "names") }),
      found.genders.length > 1 && figure({ name: "genders", title: "Genders", caption: "As the models put it themselves.", draw: bars(found.genders.slice(0, 12), Math.max(1, ...found.genders.map(([, runs]) => runs)), "genders") }),
      picked.form,
      el("section", {}, el("h2", {}, "Names by model"), everybody),
      models.length > 1 && el("section", {}, el("h2", {}, "Names that only one model chose"), alone),
    ].filter(Boolean);
    picked.apply();
    return page;
  }

  addEventListener("DOMContentLoaded", () => bench.page(async () => {
    const [drawn, found] = await Promise.all([bench.load("plots"), bench.load("names")]);
    if (drawn.updated) document.documentElement.dataset.updated = drawn.updated;
    return draw(bench.site(), drawn, found);
  }));
}
