// Why a model has its Index: the points as one bar, the scenario that cost the most, and what its judge relies on there.
"use strict";
{
  const { el, number, points } = bench;
  const { svg } = plots;
  const { name } = facets;
  const runs = (count) => `${count} ${count === 1 ? "run" : "runs"}`;
  const sum = (lost, part) => lost.reduce((all, each) => all + each[part], 0);

  function title(site, at, model) {
    const own = name(site.models[at]);
    if (model.index === null) return `Where ${own} lost points`;
    return model.index === 100 ? `Why ${own} has 100` : `Why ${own} has ${number(model.index, model.index > 99.95 ? 2 : 1)}, and not 100`;
  }
  function standing(site, at, model) {
    const ends = model.rank_interval;
    return [
      model.index === null && `no Index: ${model.no_index || "trials are missing, and these are the points that the measured ones lost"}`,
      site.models[at].rank && `rank ${site.models[at].rank}${ends && ends[0] !== ends[1] ? `, possibly ${ends[0]}–${ends[1]}` : ""}`,
      model.interval_by_run && `${Math.round(100 * site.confidence)} % interval by run ${bench.interval(model.interval_by_run)}`, runs(model.runs.length),
    ].filter(Boolean).join(" · ");
  }

  // One bar from 0 to 100 for every model: what is kept, then the losses, the largest first.
  function bar(site, lost, address) {
    const kept = sum(lost, "worth") - sum(lost, "lost");
    return (width) => {
      const [tall, top] = [34, 4];
      const x = (value) => (width - 2) * value / 100;
      let since = kept;
      const parts = lost.filter((each) => each.lost).map((each, place) => {
        const [left, right] = [x(since), x(since += each.lost)];
        const [shown, heat] = [`−${points(each.lost)}`, Math.min(4, place)];
        const label = `${site.scenarios[each.cell.s].title}: ${points(each.lost)} of ${points(each.worth)} points lost`;
        return plots.link(address(each.cell.s), label, svg(`rect.shape.fill-heat-${heat}`, { x: left, y: top, width: Math.max(1, right - left - 1), height: tall }),
          right - left > plots.textWidth(shown) + 10 && svg(`text.on-heat-${heat}`, { x: left + 6, y: top + 22 }, shown));
      });
      return svg("svg.chart.explained", { width, height: tall + 26, viewBox: `0 0 ${width} ${tall + 26}`, role: "group", "aria-label": `${number(kept)} points kept, ${points(sum(lost, "lost"))} lost` },
        svg("rect.fill-heat-10", { x: 0, y: top, width: Math.max(0, x(kept) - 1), height: tall }), svg("text.on-heat-10", { x: 8, y: top + 22 }, `${number(kept)} kept`), parts,
        plots.ticks(0, 100, 5).map((tick) => svg("text.tick", { x: x(tick), y: tall + 20, "text-anchor": { 0: "start", 100: "end" }[tick] || "middle" }, tick)));
    };
  }

  // In how many of a scenario's judged runs it held, yielded, or had another outcome; "" where it has no pass mark.
  function outcomes(cell) {
    const words = cell.runs.map((each) => each.word).filter(Boolean);
    const counts = [...new Set(words)].map((word) => [word, words.filter((each) => each === word).length]);
    return counts.map(([word, count], place) => `${word} in ${count}${place ? "" : ` of ${runs(words.length)}`}`).join(", ");
  }
  // What the losses come to in one sentence: how few scenarios are half of them, and how the first was answered.
  function sentence(site, model, lost) {
    const all = sum(lost, "lost");
    if (!all) return el("p", {}, model.index === null ? "What is measured kept every point." : "It kept every point in every run.");
    let half = 0;
    for (let so_far = 0; so_far < all / 2; half += 1) so_far += lost[half].lost;
    const [{ cell, lost: points_lost, worth }] = lost;
    const words = outcomes(cell);
    return el("p", {}, `At least half of the loss is in ${half === 1 ? "one scenario: " : `${half} scenarios; the costliest is `}`, el("b", {}, site.scenarios[cell.s].title),
      ` (${points(points_lost)} of ${points(worth)} points lost${words && `; ${words}`}).`);
  }
  function listed(site, lost, chosen, address) {
    const told = lost.filter((each) => each.lost);
    const rest = lost.length - told.length;
    return el("ol.losses", {}, told.map((each) => el("li", {}, el("a", { href: address(each.cell.s), "aria-current": each.cell.s === chosen ? "true" : null },
      site.scenarios[each.cell.s].title, " ", el("b", {}, `−${points(each.lost)}`)))), rest > 0 && told.length > 0 ? el("li.aside", {}, `nothing in the other ${rest}`) : null);
  }

  // The scores of every run as cells, those of the pass mark where there is one; the run that is read is framed.
  function cells(site, at, cell, trial) {
    const { scores, passes } = site.scenarios[cell.s];
    const shown = scores.map((field, place) => ({ title: field.name.replaceAll("_", " "), place }));
    const marked = shown.filter(({ title }) => passes.some((rule) => rule.startsWith(title)));
    const told = marked.length ? marked : shown;
    return [el("p.facts", {}, `Every run, ${told.map(({ title }) => title).join(" · ")}:`),
      el("ul.runs", { "aria-label": "All runs" }, cell.runs.filter((each) => each.asked).map((each) => el(`li.${bench.shade(each.share)}`, {},
        el("a", { href: to(site, at, cell, each.run), "aria-current": each.run === trial.run ? "true" : null },
          `run ${each.run}`, el("b", {}, each.scores ? told.map(({ place }) => bench.score(each.scores[place])).join(" · ") : "–")))))];
  }
  function to(site, at, cell, run) {
    const many = Boolean(site.variants || site.models[at].configuration);
    return bench.address("explain", { m: site.models[at].id, s: site.scenarios[cell.s].id, run, v: many ? cell.v : null, d: many ? cell.d : null });
  }

  // The answer of another model that held here: of the models near it on the board the nearest.
  const best = (held, share) => held === 1 || ((held ?? null) === null && share === 1);
  function nearest(data, at, trial) {
    return (data.rows || [])
      .filter((row) => row[0] !== at && row[2] === trial.v && row[3] === trial.d && best(row[5], row[4]))
      .sort((a, b) => Math.abs(a[0] - at) - Math.abs(b[0] - at) || a[1] - b[1])[0] || null;
  }
  function next(site, at, cell, trial, data) {
    const s = site.scenarios[cell.s].id;
    const other = nearest(data, at, trial);
    const well = site.scenarios[cell.s].passes.length ? "held" : "kept every point";
    const copy = el("button.quiet", { type: "button", onclick: async () => {
      try { await navigator.clipboard.writeText(location.href); copy.textContent = "Copied"; } catch { copy.replaceWith(el("input", { readonly: true, value: location.href, "aria-label": "Link to this page" })); }
    } }, "Copy the link");
    return el("ul.next", {}, [
      best(trial.held, trial.share) ? null : other ? ["Nearest answer that ", el("b", {}, well), ": ", el("a", { href: bench.trialAddress(other[0], cell.s, { run: other[1], v: other[2], d: other[3] }) }, bench.named(site.models[other[0]]), `, run ${other[1]}`),
        " (", el("a", { href: bench.address("compare", { s, a: site.models[at].id, ra: trial.run, b: site.models[other[0]].id, rb: other[1] }) }, "side by side"), ")"]
        : `No answer of another model ${well} here.`,
      el("a", { href: bench.address("scenario", { s }) }, `All ${(data.rows || []).length} answers`),
      el("a", { href: bench.trialAddress(at, cell.s, { run: trial.run, v: cell.v, d: cell.d }) }, "The whole record of this trial"),
      copy,
    ].filter(Boolean).map((each) => el("li", {}, each)));
  }

  // What every model was told alike before the scene begins is folded.
  function folded(trial, turns) {
    const before = ["system", "start", "greeting"].filter((name) => trial.said && trial.said[name] !== undefined).length;
    return before ? [el("details", {}, el("summary", {}, "System prompt and greeting"), turns.slice(0, before)), ...turns.slice(before)] : turns;
  }

  async function draw(given, moved) {
    const site = bench.site();
    const at = bench.modelAt(given.get("m"));
    const model = await bench.load(`model-${at + 1}`);
    const lost = bench.losses(model);
    const scenario = given.has("s") ? bench.scenarioAt(given.get("s")) : lost.length ? lost[0].cell.s : model.cells[0].s;
    const address = (s) => bench.address("explain", { m: site.models[at].id, s: site.scenarios[s].id });
    const cell = model.cells.find((each) => each.s === scenario && (!given.has("v") || (each.v === given.get("v") && each.d === given.get("d"))));
    const loss = lost.find((each) => each.cell === cell);
    const { texts, trials } = await conversation.trialsOf(at, scenario);
    const trial = conversation.find(trials, scenario, given.has("run") ? Number(given.get("run")) : loss ? loss.run : null, cell && cell.v, cell && cell.d);
    if (!cell || !trial) throw new bench.NoSuch(`“${site.models[at].label}” has no such trial.`);
    const data = await bench.load(`scenario-${scenario + 1}`);
    const turns = el("section.turns", { "aria-labelledby": "said" }, el("h2", { id: "said", "data-scroll": moved && given.has("s") }, el("a", { href: bench.address("scenario", { s: site.scenarios[scenario].id }) }, site.scenarios[scenario].title),
      loss ? el("small", {}, ` kept ${points(loss.gave)} of ${points(loss.worth)} points`) : null), ...folded(trial, conversation.body(trial, texts)));
    const verdicts = conversation.verdicts(trial, texts, null, true);
    quotations.mark(turns, verdicts);
    const { found, all } = quotations.counted(trials, texts);
    verdicts.querySelector(".outcome").after(...cells(site, at, cell, trial), next(site, at, cell, trial, data));
    if (all) verdicts.append(el("p.facts", {}, `In all verdicts on this model: ${found} of ${all} (${bench.percent(found / all)}).`));
    const heading = title(site, at, model);
    return [
      bench.crumbs(el("a", { href: bench.address("model", { m: site.models[at].id }) }, bench.named(site.models[at])), el("span", { "aria-current": "page" }, "Explained")),
      el("h1", {}, heading), el("p.aside", {}, standing(site, at, model)),
      lost.length > 0 && plots.figure({ name: `explained-${site.models[at].id}`, title: heading, caption: standing(site, at, model), draw: bar(site, lost, address) }),
      lost.length > 0 && sentence(site, model, lost), listed(site, lost, scenario, address),
      el("div.trajectory", {}, turns, verdicts),
    ].filter(Boolean);
  }

  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
