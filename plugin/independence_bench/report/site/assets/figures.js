// The page of charts: intervals, Index against cost, pairs, difficulty. Filters take rows away.
"use strict";
{
  const { el, number } = bench;
  const { svg, figure, link, ticks, textWidth, cut, mark } = plots;
  const FIRST = 150; // rows drawn at once
  const A_PAGE = 20; // rows of names on a printed page
  const FIRST_PAIRED = 25;
  const { name } = facets;

  function draw(site, drawn, computed) {
    const models = site.models;
    const all = drawn.models;
    const byVendor = new Map();
    models.forEach((model, place) => { const { vendor } = all[place]; if (model.contends && vendor) byVendor.set(vendor, (byVendor.get(vendor) || 0) + 1); });
    const vendors = [...byVendor].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([vendor]) => vendor);
    const own = vendors.slice(0, plots.SHAPES - 1); // the last shape is everybody else's
    const shape = (place) => { const at = own.indexOf(all[place].vendor); return at < 0 ? plots.SHAPES - 1 : at; };
    let shown = [];
    let everything = false;

    const modelAddress = (place) => bench.address("model", { m: models[place].id });
    const title = (place) => [models[place].rank, name(models[place])].filter(Boolean).join(" · ");

    // Rows on one axis, each leading to its page; on a narrow screen a row's name stands above what is drawn of it.
    function rowed(kind, width, rows, [low, high], { label, unit, right, shown: ticked, called, address, says, drawn: part }) {
      const narrow = width < 620;
      const [row, top] = [narrow ? 36 : 22, 24];
      const left = narrow ? 10 : Math.min(Math.max(...rows.map((each) => textWidth(bench.visible(called(each))))) + 14, width / 2);
      const bottom = top + row * rows.length;
      const height = bottom + 44;
      const x = (value) => left + (width - left - right) * (value - low) / (high - low || 1);
      const marks = ticks(low, high, narrow ? 5 : 8);
      return svg(`svg.chart.${kind}`, { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label },
        marks.map((at) => svg("text.tick", { x: x(at), y: 14, "text-anchor": "middle" }, ticked(at))), plots.axis(marks, x, top - 4, bottom, ticked),
        svg("text.axis-title", { x: (left + width - right) / 2, y: bottom + 36, "text-anchor": "middle" }, unit),
        rows.map((each, at) => {
          const y = top + row * (at + 0.5) + (narrow ? 8 : 0);
          return link(address(each), says(each), svg("rect.hit", { x: 0, y: top + row * at, width, height: row }),
            svg("text.name", narrow ? { x: 4, y: y - 10 } : { x: left - 10, y: y + 4, "text-anchor": "end" }, cut(called(each), narrow ? width - 8 : left - 14)),
            part(each, at, x, y));
        }));
    }

    // ---- Intervals ----
    function forest(width, rows = everything ? shown : shown.slice(0, FIRST)) {
      if (!rows.length) return null;
      const ends = shown.flatMap((place) => [models[place].index, ...(all[place].run || []), ...(all[place].scenario || [])]);
      const range = [Math.max(0, 5 * Math.floor(Math.min(...ends) / 5)), Math.min(100, 5 * Math.ceil(Math.max(...ends) / 5))];
      return rowed("forest", width, rows, range, {
        label: `Index and intervals of ${rows.length} models`, unit: "Independence Index (0 to 100, higher is better)", right: 14, shown: String,
        called: title, address: modelAddress,
        says: (place) => `${title(place)}: Index ${number(models[place].index)}; by run ${all[place].by_run}, by scenario ${all[place].by_scenario}`,
        drawn: (place, at, x, y) => [
          ["wide", all[place].scenario], ["narrow", all[place].run]].map(([kind, reach]) => reach && svg(`line.${kind}`, { x1: x(reach[0]), x2: x(reach[1]), y1: y, y2: y }))
          .concat(svg("circle.dot.shape", { cx: x(models[place].index), cy: y, r: 4 })),
      });
    }
    function leads() {
      const [first, ...others] = shown;
      const [compared, again, elsewhere] = pairs.counted(computed, others.map((other) => [first, other]));
      return compared ? `${name(models[first])} is above ${again} of ${compared} models when these scenarios are asked again,`
        + ` above ${elsewhere} on other scenarios` : "Index and intervals";
    }

    // ---- Index against cost ----
    const priced = () => shown.filter((place) => all[place].cost > 0);
    // Models that no cheaper model beats: from the cheapest on, each better than all before.
    function frontier(known) {
      let best = -1;
      return [...known].sort((a, b) => all[a].cost - all[b].cost || models[b].index - models[a].index)
        .filter((place) => models[place].index > best && (best = models[place].index, true));
    }
    function unbeaten() {
      const front = frontier(priced());
      return front.length ? `${front.length} of ${priced().length} models are beaten by no cheaper one: ${front.slice(0, 3).map((place) => name(models[place])).join(", ")}${front.length > 3 ? " …" : ""}` : "Index against cost";
    }
    function plane(width) {
      const known = priced();
      if (known.length < 2) return null;
      const narrow = width < 620;
      const key = legend(known, width);
      const [left, right, top] = [52, narrow ? 12 : 24, 14 + key.height];
      const height = key.height + (narrow ? 380 : Math.min(620, Math.max(420, width * 0.42)));
      const bottom = height - 50;
      const logs = known.map((place) => Math.log10(all[place].cost));
      const [near, far] = [Math.min(...logs) - 0.08, Math.max(...logs) + 0.08];
      const points = known.map((place) => models[place].index);
      const [low, high] = [Math.max(0, 5 * Math.floor(Math.min(...points) / 5)), Math.min(100, 5 * Math.ceil(Math.max(...points) / 5))];
      const x = (cost) => left + (width - left - right) * (Math.log10(cost) - near) / (far - near || 1);
      const y = (index) => bottom - (bottom - top) * (index - low) / (high - low || 1);
      const costs = [];
      for (let power = Math.floor(near); power <= Math.ceil(far); power += 1) for (const step of far - near > 2.5 ? [1] : [1, 2, 5]) costs.push(step * 10 ** power);
      const inside = costs.filter((cost) => Math.log10(cost) >= near && Math.log10(cost) <= far);
      const front = frontier(known);
      const line = front.map((place, at) => `${at ? `H${x(all[place].cost).toFixed(1)}V` : `M${x(all[place].cost).toFixed(1)} `}${y(models[place].index).toFixed(1)}`).join("") + `H${width - right}`;
      // Names where there is room beside marks and line, those of the line first, then the best.
      const taken = known.map((place) => [x(all[place].cost) - 7, x(all[place].cost) + 7, y(models[place].index)]);
      front.forEach((place, at) => {
        const [since, level, below] = [x(all[place].cost), y(models[place].index), at ? y(models[front[at - 1]].index) : 0];
        taken.push([since, at + 1 < front.length ? x(all[front[at + 1]].cost) : width - right, level]);
        for (let step = level; step < below; step += 8) taken.push([since - 1, since + 1, step]);
      });
      const named = new Map();
      const order = [...front, ...known.filter((place) => !front.includes(place))];
      for (const place of order) {
        const text = bench.visible(name(models[place]));
        const wide = textWidth(text, 11);
        const [cx, cy] = [x(all[place].cost), y(models[place].index)];
        const beside = [[cx + 9, 0], [cx - 9 - wide, 0]];
        for (const [from, dy] of [...(front.includes(place) ? [[cx - 5 - wide, -12], [cx + 5, -12]] : beside), [cx + 5, -12], [cx + 5, 13], [cx - 5 - wide, -12], [cx - 5 - wide, 13]]) {
          const at = cy + dy;
          if (from < left || from + wide > width || at < top - 14 || at > bottom - 4) continue;
          if (taken.some(([since, to, level]) => from < to + 2 && from + wide > since - 2 && Math.abs(level - at) < 12)) continue;
          taken.push([from, from + wide, at]);
          named.set(place, [from, at, text]);
          break;
        }
      }
      return svg("svg.chart.plane", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Index against cost of ${known.length} models` },
        ticks(low, high, 7).map((at) => [svg("line.grid", { x1: left, x2: width - right, y1: y(at), y2: y(at) }), svg("text.tick", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, at)]),
        plots.axis(inside, x, top, bottom, (cost) => `$${Number(cost.toPrecision(2))}`),
        svg("text.axis-title", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, narrow ? "US dollars per run (logarithmic)" : `US dollars per run, ${drawn.priced} (logarithmic)`),
        svg("text.axis-title", { x: -(top + bottom) / 2, y: 14, transform: "rotate(-90)", "text-anchor": "middle" }, "Independence Index"),
        key.drawn, svg("path.pareto", { d: line }),
        known.map((place) => link(modelAddress(place), `${title(place)}: Index ${number(models[place].index)}, ${bench.dollars(all[place].cost)} US dollars per run${front.includes(place) ? "; nothing cheaper is better" : ""}; ${all[place].vendor || "vendor unknown"}`,
          mark(shape(place), x(all[place].cost), y(models[place].index), 5.5))),
        [...named].map(([, [from, at, text]]) => svg("text.label", { x: from, y: at + 4 }, text)));
    }
    // Vendors that are there, in rows as wide as the chart: part of the picture, so that a saved one can be read.
    function legend(known, width) {
      const there = new Set(known.map(shape));
      const entries = own.map((vendor, at) => [at, vendor]).filter(([at]) => there.has(at));
      if (there.has(plots.SHAPES - 1)) entries.push([plots.SHAPES - 1, "others"]);
      let [x, y] = [8, 10];
      const places = entries.map(([at, words]) => {
        const wide = textWidth(bench.visible(words)) + 34;
        if (x + wide > width) { x = 8; y += 20; }
        const place = [at, words, x, y];
        x += wide;
        return place;
      });
      return { height: y + 12, drawn: places.map(([at, words, left, top]) => [mark(at, left, top, 5), svg("text.name", { x: left + 10, y: top + 4 }, words)]) };
    }

    // ---- Difficulty ----
    const hardest = [...drawn.difficulty].sort((a, b) => b[1] - a[1]);
    const scene = ([s]) => site.scenarios[s].title;
    function difficulty(width) {
      if (!hardest.length) return null;
      const most = Math.min(1, Math.max(0.1, Math.ceil(10 * hardest[0][1]) / 10));
      return rowed("bars", width, hardest, [0, most], {
        label: `Difficulty of ${hardest.length} scenarios`, unit: "Points lost, mean over models", right: 56, shown: bench.percent,
        called: scene, address: ([s]) => bench.address("scenario", { s: site.scenarios[s].id }),
        says: ([s, hard, discrimination]) => `${scene([s])}: ${number(100 * hard)} % of the points lost${discrimination === null ? "" : `, discrimination ${discrimination.toFixed(2)}`}`,
        drawn: ([, hard], at, x, y) => [svg(`rect.value.shape${at < 3 ? ".hardest" : at >= hardest.length - 3 ? ".easiest" : ""}`, { x: x(0), y: y - 6, width: Math.max(1, x(hard) - x(0)), height: 12 }),
          svg("text.tick", { x: x(hard) + 5, y: y + 4 }, bench.percent(hard))],
      });
    }

    const wins = el("div", {});
    const above = el("h2", {});
    const more = el("button.quiet", { type: "button", onclick: () => { everything = true; more.hidden = true; plots.redraw(); } });
    const left = el("p.aside", {});
    const percent = Math.round(100 * site.confidence);
    const picked = facets.form(all, (found) => {
      shown = found;
      const unpriced = shown.filter((place) => !(all[place].cost > 0)).length;
      left.textContent = unpriced ? `Without a known cost above zero, so left out: ${unpriced}.` : "";
      more.hidden = everything || shown.length <= FIRST;
      more.textContent = `Draw all ${shown.length} models`;
      const paired = shown.filter((place) => computed.models.includes(place));
      const some = paired.slice(0, FIRST_PAIRED);
      const [compared, again, elsewhere] = pairs.counted(computed, some.flatMap((one, at) => some.slice(at + 1).map((other) => [one, other])));
      above.textContent = compared ? `${again} of ${compared} pairs differ when these scenarios are asked again, ${elsewhere} on other scenarios` : "Who is above whom";
      wins.replaceChildren(...(some.length > 1 ? [pairs.matrix(computed, site, some), pairs.key(),
        el("p.aside", {}, `${paired.length > FIRST_PAIRED ? `The first ${FIRST_PAIRED} of ${paired.length} models; filter for others. ` : ""}${computed.left_out ? `Pairs are compared beforehand for the first ${computed.models.length} ranked models; ${computed.left_out} are left out.` : ""}`)] : [el("p.note", {}, "It takes two ranked models.")]));
      plots.redraw();
    }, true);
    const page = [
      el("h1", {}, "Charts"),
      el("p.lead", {}, `The ranking of the leaderboard, drawn. Filters take rows away; every chart can be saved with its source.${site.marks.length ? ` Marks: ${site.marks.join("; ")}.` : ""}`),
      picked.form, el("p", {}, more),
      figure({
        name: "intervals", title: leads, draw: forest, none: "No ranked model is left.",
        sheets: (width) => shown.filter((_, at) => at % A_PAGE === 0).map((_, page) => forest(width, shown.slice(page * A_PAGE, (page + 1) * A_PAGE))),
        caption: `Dot: Index. Thick line: ${percent} % interval by run (these scenarios asked again). Thin line: by scenario (other scenarios of their kinds, too).`,
      }),
      figure({
        name: "cost", title: unbeaten, draw: plane, beside: left,
        none: "It takes two ranked models of which a cost above zero is known.",
        caption: `Higher is more independent, further left is cheaper (${drawn.priced}). On the line: models that no cheaper one beats.`,
      }),
      el("section", { "data-scroll": bench.parameters().has("wins") }, above, wins, el("p.source", {}, plots.source())),
      figure({ name: "difficulty", title: hardest.length ? `Models lose most in “${scene(hardest[0])}”, ${bench.percent(hardest[0][1])} of its points, and least in “${scene(hardest.at(-1))}”, ${bench.percent(hardest.at(-1)[1])}` : "How hard each scenario is", draw: difficulty, caption: "Over all models of this edition, whatever is filtered; the hardest first.", none: "No scenario has a difficulty yet." }),
    ];
    picked.apply();
    return page;
  }

  addEventListener("DOMContentLoaded", () => {
    bench.page(async () => {
      const [data, found] = await Promise.all([bench.load("plots"), bench.load("pairs")]);
      return draw(bench.site(), data, found);
    });
  });
}
