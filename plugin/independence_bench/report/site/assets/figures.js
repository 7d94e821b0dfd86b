// The page of charts: intervals, Index against cost, pairs, difficulty. Filters take rows away.
"use strict";
{
  const { el, number, visible } = bench;
  const { svg, figure, chart, link, axis, unit, ticks, textWidth, cut, mark } = plots;
  const { name } = facets;
  const FIRST = 150; // rows drawn at once
  const A_PAGE = 20; // rows of names on a printed page
  const FIRST_PAIRED = 25;
  const OTHERS = plots.SHAPES - 1; // the shape of every vendor that has no shape of its own

  function draw(site, drawn, computed) {
    const { models } = site;
    const all = drawn.models;
    const index = (place) => models[place].index;
    const cost = (place) => all[place].cost;
    const title = (place) => [models[place].rank, name(models[place])].filter(Boolean).join(" · ");
    const vendors = models.flatMap((model, place) => (model.contends && all[place].vendor) || []);
    const count = (vendor) => vendors.filter((each) => each === vendor).length;
    const own = [...new Set(vendors)].sort((a, b) => count(b) - count(a) || a.localeCompare(b)).slice(0, OTHERS);
    const shape = (place) => (own.includes(all[place].vendor) ? own.indexOf(all[place].vendor) : OTHERS);
    // Ends of an axis of Indexes: the nearest fives around these.
    const around = (values) =>
      [Math.max(0, 5 * Math.floor(Math.min(...values) / 5)), Math.min(100, 5 * Math.ceil(Math.max(...values) / 5))];
    let shown = [];
    let everything = false;
    // Rows on one axis, each leading to its page; on a narrow screen a row's name stands above what is drawn of it.
    function rowed(kind, width, rows, [low, high], texts) {
      const { label, right, shown: ticked, called, address, says, drawn: part } = texts;
      const narrow = width < 620;
      const [row, top] = [narrow ? 36 : 22, 24];
      const widest = Math.max(...rows.map((each) => textWidth(visible(called(each)))));
      const left = narrow ? 10 : Math.min(widest + 14, width / 2);
      const bottom = top + row * rows.length;
      const x = (value) => left + (width - left - right) * (value - low) / (high - low || 1);
      const marks = ticks(low, high, narrow ? 5 : 8);
      return chart(kind, width, bottom + 44, label,
        marks.map((at) => svg("text.tick", { x: x(at), y: 14, "text-anchor": "middle" }, ticked(at))),
        axis(marks, x, top - 4, bottom, ticked), unit((left + width - right) / 2, bottom + 36, texts.unit),
        rows.map((each, at) => {
          const y = top + row * (at + 0.5) + (narrow ? 8 : 0);
          const place = narrow ? { x: 4, y: y - 10 } : { x: left - 10, y: y + 4, "text-anchor": "end" };
          return link(address(each), says(each), svg("rect.hit", { x: 0, y: top + row * at, width, height: row }),
            svg("text.name", place, cut(called(each), narrow ? width - 8 : left - 14)), part(each, at, x, y));
        }));
    }
    // ---- Intervals ----
    function forest(width, rows = everything ? shown : shown.slice(0, FIRST)) {
      if (!rows.length) return null;
      const ends = shown.flatMap((place) => [index(place), ...(all[place].run || []), ...(all[place].scenario || [])]);
      return rowed("forest", width, rows, around(ends), {
        label: `Index and intervals of ${rows.length} models`, right: 14, shown: String,
        unit: "Independence Index (0 to 100, higher is better)", called: title, address: bench.modelAddress,
        says: (place) => `${title(place)}: Index ${number(index(place))}; by run ${all[place].by_run},`
          + ` by scenario ${all[place].by_scenario}`,
        drawn: (place, at, x, y) => [
          [["wide", all[place].scenario], ["narrow", all[place].run]].map(([kind, reach]) =>
            reach && svg(`line.${kind}`, { x1: x(reach[0]), x2: x(reach[1]), y1: y, y2: y })),
          svg("circle.dot.shape", { cx: x(index(place)), cy: y, r: 4 }),
        ],
      });
    }
    function leads() {
      const [first, ...others] = shown;
      const [compared, again, elsewhere] = pairs.counted(computed, others.map((other) => [first, other]));
      if (!compared) return "Index and intervals";
      return `${name(models[first])} is above ${again} of ${compared} models when these scenarios are asked again,`
        + ` above ${elsewhere} on other scenarios`;
    }
    // ---- Index against cost ----
    const priced = () => shown.filter((place) => cost(place) > 0);
    // Models that no cheaper model beats: from the cheapest on, each better than all before.
    function frontier(known) {
      const front = [];
      for (const place of [...known].sort((a, b) => cost(a) - cost(b) || index(b) - index(a))) {
        if (!front.length || index(place) > index(front.at(-1))) front.push(place);
      }
      return front;
    }
    function unbeaten() {
      const front = frontier(priced());
      if (!front.length) return "Index against cost";
      const first = front.slice(0, 3).map((place) => name(models[place])).join(", ");
      return `${front.length} of ${priced().length} models are beaten by no cheaper one: ${first}`
        + `${front.length > 3 ? " …" : ""}`;
    }
    function plane(width) {
      const known = priced();
      if (known.length < 2) return null;
      const front = frontier(known);
      const narrow = width < 620;
      const key = legend(known, width);
      const [left, right, top] = [52, narrow ? 12 : 24, 14 + key.height];
      const height = key.height + (narrow ? 380 : Math.min(620, Math.max(420, width * 0.42)));
      const bottom = height - 50;
      const logs = known.map((place) => Math.log10(cost(place)));
      const [near, far] = [Math.min(...logs) - 0.08, Math.max(...logs) + 0.08];
      const [low, high] = around(known.map(index));
      const across = (dollars) => left + (width - left - right) * (Math.log10(dollars) - near) / (far - near || 1);
      const up = (points) => bottom - (bottom - top) * (points - low) / (high - low || 1);
      const [x, y] = [(place) => across(cost(place)), (place) => up(index(place))];
      const costs = [];
      for (let power = Math.floor(near); power <= Math.ceil(far); power += 1) {
        costs.push(...(far - near > 2.5 ? [1] : [1, 2, 5]).map((step) => step * 10 ** power));
      }
      const inside = costs.filter((each) => Math.log10(each) >= near && Math.log10(each) <= far);
      const steps = front.map((place, at) =>
        `${at ? "H" : "M"}${x(place).toFixed(1)}${at ? "V" : " "}${y(place).toFixed(1)}`);
      // Names where there is room beside marks and line, those of the line first, then the best.
      const taken = known.map((place) => [x(place) - 7, x(place) + 7, y(place)]);
      front.forEach((place, at) => {
        const [since, level, below] = [x(place), y(place), at ? y(front[at - 1]) : 0];
        taken.push([since, at + 1 < front.length ? x(front[at + 1]) : width - right, level]);
        for (let step = level; step < below; step += 8) taken.push([since - 1, since + 1, step]);
      });
      const names = [...front, ...known.filter((place) => !front.includes(place))].map((place) => {
        const text = visible(name(models[place]));
        const wide = textWidth(text, 11);
        const [after, before] = [x(place) + 5, x(place) - 5 - wide];
        const first = front.includes(place) ? [[before, -12]] : [[after + 4, 0], [before - 4, 0]];
        const free = [...first, [after, -12], [after, 13], [before, -12], [before, 13]]
          .map(([from, down]) => [from, y(place) + down])
          .find(([from, at]) => from >= left && from + wide <= width && at >= top - 14 && at <= bottom - 4
            && !taken.some(([since, to, level]) =>
              from < to + 2 && from + wide > since - 2 && Math.abs(level - at) < 12));
        if (!free) return null;
        const [from, at] = free;
        taken.push([from, from + wide, at]);
        return svg("text.label", { x: from, y: at + 4 }, text);
      });
      const says = (place) => `${title(place)}: Index ${number(index(place))}, ${bench.dollars(cost(place))} US dollars`
        + ` per run${front.includes(place) ? "; nothing cheaper is better" : ""};`
        + ` ${all[place].vendor || "vendor unknown"}`;
      return chart("plane", width, height, `Index against cost of ${known.length} models`,
        ticks(low, high, 7).map((at) => [
          svg("line.grid", { x1: left, x2: width - right, y1: up(at), y2: up(at) }),
          svg("text.tick", { x: left - 8, y: up(at) + 4, "text-anchor": "end" }, at)]),
        axis(inside, across, top, bottom, (each) => `$${Number(each.toPrecision(2))}`),
        unit((left + width - right) / 2, height - 8,
          `US dollars per run${narrow ? "" : `, ${drawn.priced}`} (logarithmic)`),
        unit(-(top + bottom) / 2, 14, "Independence Index", { transform: "rotate(-90)" }),
        key.drawn, svg("path.pareto", { d: `${steps.join("")}H${width - right}` }),
        known.map((place) => link(bench.modelAddress(place), says(place), mark(shape(place), x(place), y(place), 5.5))),
        names);
    }
    // Vendors that are there, in rows as wide as the chart: part of the picture, so that a saved one can be read.
    function legend(known, width) {
      const there = new Set(known.map(shape));
      let [x, y] = [8, 10];
      const entries = [...own.entries(), [OTHERS, "others"]].filter(([at]) => there.has(at)).map(([at, words]) => {
        const wide = textWidth(visible(words)) + 34;
        if (x + wide > width) [x, y] = [8, y + 20];
        const entry = [mark(at, x, y, 5), svg("text.name", { x: x + 10, y: y + 4 }, words)];
        x += wide;
        return entry;
      });
      return { height: y + 12, drawn: entries };
    }
    // ---- Difficulty ----
    const hardest = [...drawn.difficulty].sort((a, b) => b[1] - a[1]);
    const scene = ([s]) => site.scenarios[s].title;
    function difficulty(width) {
      if (!hardest.length) return null;
      const most = Math.min(1, Math.max(0.1, Math.ceil(10 * hardest[0][1]) / 10));
      return rowed("bars", width, hardest, [0, most], {
        label: `Difficulty of ${hardest.length} scenarios`, right: 56, shown: bench.percent,
        unit: "Points lost, mean over models", called: scene, address: ([s]) => bench.sceneAddress(s),
        says: ([s, hard, discrimination]) => `${scene([s])}: ${number(100 * hard)} % of the points lost`
          + `${discrimination === null ? "" : `, discrimination ${discrimination.toFixed(2)}`}`,
        drawn: ([, hard], at, x, y) => {
          const kind = at < 3 ? ".hardest" : at >= hardest.length - 3 ? ".easiest" : "";
          const width = Math.max(1, x(hard) - x(0));
          return [svg(`rect.value.shape${kind}`, { x: x(0), y: y - 6, width, height: 12 }),
            svg("text.tick", { x: x(hard) + 5, y: y + 4 }, bench.percent(hard))];
        },
      });
    }
    function extremes() {
      if (!hardest.length) return "How hard each scenario is";
      const [first, last] = [hardest[0], hardest.at(-1)];
      return `Models lose most in “${scene(first)}”, ${bench.percent(first[1])} of its points,`
        + ` and least in “${scene(last)}”, ${bench.percent(last[1])}`;
    }
    // ---- Pairs ----
    const wins = el("div", {});
    const above = el("h2", {});
    function pair() {
      const paired = shown.filter((place) => computed.models.includes(place));
      const some = paired.slice(0, FIRST_PAIRED);
      const [compared, again, elsewhere] = pairs.counted(computed, pairs.every(some));
      above.textContent = compared
        ? `${again} of ${compared} pairs differ when these scenarios are asked again, ${elsewhere} on other scenarios`
        : "Who is above whom";
      if (some.length < 2) return wins.replaceChildren(el("p.note", {}, "It takes two ranked models."));
      return wins.replaceChildren(pairs.matrix(computed, site, some), pairs.key(), el("p.aside", {},
        paired.length > FIRST_PAIRED && `The first ${FIRST_PAIRED} of ${paired.length} models; filter for others. `,
        computed.left_out > 0 && `Pairs are compared beforehand for the first ${computed.models.length} ranked models;`
          + ` ${computed.left_out} are left out.`));
    }
    const more = tables.button("", () => {
      everything = true;
      more.hidden = true;
      plots.redraw();
    });
    const left = el("p.aside", {});
    const picked = facets.form(all, (found) => {
      shown = found;
      const unpriced = shown.length - priced().length;
      left.textContent = unpriced ? `Without a known cost above zero, so left out: ${unpriced}.` : "";
      more.hidden = everything || shown.length <= FIRST;
      more.textContent = `Draw all ${shown.length} models`;
      pair();
      plots.redraw();
    }, true);
    const sheets = (width) => shown.filter((_, at) => at % A_PAGE === 0)
      .map((_, page) => forest(width, shown.slice(page * A_PAGE, (page + 1) * A_PAGE)));
    picked.apply();
    return [
      el("h1", {}, "Charts"),
      el("p.lead", {}, "The ranking of the leaderboard, drawn. Filters take rows away; every chart can be saved with"
        + ` its source.${site.marks.length ? ` Marks: ${site.marks.join("; ")}.` : ""}`),
      picked.form, el("p", {}, more),
      figure({
        name: "intervals", title: leads, draw: forest, sheets, none: "No ranked model is left.",
        caption: `Dot: Index. Thick line: ${Math.round(100 * site.confidence)} % interval by run (these scenarios asked`
          + " again). Thin line: by scenario (other scenarios of their kinds, too).",
      }),
      figure({
        name: "cost", title: unbeaten, draw: plane, beside: left,
        none: "It takes two ranked models of which a cost above zero is known.",
        caption: `Higher is more independent, further left is cheaper (${drawn.priced}). On the line: models that no`
          + " cheaper one beats.",
      }),
      el("section", { "data-scroll": bench.parameters().has("wins") }, above, wins, el("p.source", {}, plots.source())),
      figure({
        name: "difficulty", title: extremes, draw: difficulty, none: "No scenario has a difficulty yet.",
        caption: "Over all models of this edition, whatever is filtered; the hardest first.",
      }),
    ];
  }
  addEventListener("DOMContentLoaded", () => bench.page(async () => {
    const [drawn, computed] = await Promise.all([bench.load("plots"), bench.load("pairs")]);
    return draw(bench.site(), drawn, computed);
  }));
}
