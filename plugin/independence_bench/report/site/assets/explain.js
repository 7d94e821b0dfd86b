// Why a model has its Index: the points as one bar, the scenario that cost the most, and what its judge relies on.
"use strict";
{
  const { el, number, points, svg } = bench;
  const site = bench.site();
  const runs = (count) => `${count} ${count === 1 ? "run" : "runs"}`;
  const sum = (lost, part) => lost.reduce((all, each) => all + each[part], 0);
  const address = (at, s, more) =>
    bench.address("explain", { m: site.models[at].id, s: site.scenarios[s].id, ...more });
  function title(at, { index }) {
    const own = bench.called(site.models[at]);
    if (index === null) return `Where ${own} lost points`;
    return `Why ${own} has ${index === 100 ? 100 : `${number(index, index > 99.95 ? 2 : 1)}, and not 100`}`;
  }
  function standing(at, { index, no_index: why, rank_interval: ranks, interval_by_run: ends, runs: asked }) {
    const { rank } = site.models[at];
    const missing = "trials are missing, and these are the points that the measured ones lost";
    return [
      index === null && `no Index: ${why || missing}`,
      rank && `rank ${rank}${ranks && ranks[0] !== ranks[1] ? `, possibly ${ranks[0]}–${ranks[1]}` : ""}`,
      ends && `${Math.round(100 * site.confidence)} % interval by run ${bench.interval(ends)}`, runs(asked.length),
    ].filter(Boolean).join(" · ");
  }
  // One bar from 0 to 100 for every model: what is kept, then the losses, the largest first.
  function bar(at, lost, width) {
    const [kept, tall, top] = [sum(lost, "worth") - sum(lost, "lost"), 34, 4];
    const x = (value) => (width - 2) * value / 100;
    let since = kept;
    const parts = lost.filter((each) => each.lost).map((each, place) => {
      const [left, right] = [x(since), x(since += each.lost)];
      const [shown, heat] = [`−${points(each.lost)}`, Math.min(4, place)];
      return plots.link(address(at, each.cell.s),
        `${site.scenarios[each.cell.s].title}: ${points(each.lost)} of ${points(each.worth)} points lost`,
        svg(`rect.shape.fill-heat-${heat}`, { x: left, y: top, width: Math.max(1, right - left - 1), height: tall }),
        right - left > plots.textWidth(shown) + 10
          && svg(`text.on-heat-${heat}`, { x: left + 6, y: top + 22 }, shown));
    });
    const label = `${number(kept)} points kept, ${points(sum(lost, "lost"))} lost`;
    return plots.chart("explained", width, tall + 26, label,
      svg("rect.fill-heat-10", { x: 0, y: top, width: Math.max(0, x(kept) - 1), height: tall }),
      svg("text.on-heat-10", { x: 8, y: top + 22 }, `${number(kept)} kept`), parts,
      plots.ticks(0, 100, 5).map((tick) => svg("text.tick",
        { x: x(tick), y: tall + 20, "text-anchor": { 0: "start", 100: "end" }[tick] || "middle" }, tick)));
  }
  // In how many of a scenario's judged runs it held, yielded, or had another outcome; "" where it has no pass mark.
  function outcomes(cell) {
    const words = cell.runs.map((each) => each.word).filter(Boolean);
    const count = (word) => words.filter((each) => each === word).length;
    const [first, ...more] = [...new Set(words)].map((word) => `${word} in ${count(word)}`);
    return first ? [`${first} of ${runs(words.length)}`, ...more].join(", ") : "";
  }
  // What the losses come to in one sentence: how few scenarios are half of them, and how the first was answered.
  function sentence(model, lost) {
    const all = sum(lost, "lost");
    const none = model.index === null ? "What is measured kept every point." : "It kept every point in every run.";
    if (!all) return el("p", {}, none);
    const half = 1 + lost.findIndex((_, at) => sum(lost.slice(0, at + 1), "lost") >= all / 2);
    const [{ cell, lost: least, worth }] = lost;
    const words = outcomes(cell);
    return el("p", {}, "At least half of the loss is in ",
      half === 1 ? "one scenario: " : `${half} scenarios; the costliest is `, el("b", {}, site.scenarios[cell.s].title),
      ` (${points(least)} of ${points(worth)} points lost${words && `; ${words}`}).`);
  }
  function listed(at, lost, chosen) {
    const costly = lost.filter((each) => each.lost);
    const rest = costly.length > 0 ? lost.length - costly.length : 0;
    return el("ol.losses", {}, costly.map(({ cell: { s }, lost: all }) => el("li", {},
      el("a", { href: address(at, s), "aria-current": s === chosen ? "true" : null },
        site.scenarios[s].title, " ", el("b", {}, `−${points(all)}`)))),
    rest > 0 && el("li.aside", {}, `nothing in the other ${rest}`));
  }
  // The scores of every run as cells, those of the pass mark where there is one; the run that is read is framed.
  function cells(at, cell, trial) {
    const { scores: fields, passes } = site.scenarios[cell.s];
    const all = fields.map((field, place) => [field.name.replaceAll("_", " "), place]);
    const marked = all.filter(([name]) => passes.some((rule) => rule.startsWith(name)));
    const shown = marked.length ? marked : all;
    const asked = site.variants || site.models[at].configuration ? { v: cell.v, d: cell.d } : {};
    const said = (given) => (given ? shown.map(([, place]) => bench.score(given[place])).join(" · ") : "–");
    return [el("p.facts", {}, `Every run, ${shown.map(([name]) => name).join(" · ")}:`),
      el("ul.runs", { "aria-label": "All runs" }, cell.runs.filter((each) => each.asked).map(({ run, share, scores }) =>
        el(`li.${bench.shade(share)}`, {}, el("a", { href: address(at, cell.s, { run, ...asked }),
          "aria-current": run === trial.run ? "true" : null }, `run ${run}`, el("b", {}, said(scores))))))];
  }
  // The answer of another model that held here: of the models near it on the board the nearest.
  const best = (held, share) => held === 1 || ((held ?? null) === null && share === 1);
  function nearest(rows, at, trial) {
    const others = rows.filter(([model, , variant, delivery, share, held]) =>
      model !== at && variant === trial.v && delivery === trial.d && best(held, share));
    return others.sort((a, b) => Math.abs(a[0] - at) - Math.abs(b[0] - at) || a[1] - b[1])[0];
  }
  function next(at, s, trial, rows) {
    const { id, passes } = site.scenarios[s];
    const well = passes.length ? "held" : "kept every point";
    const beside = ([model, run, v, d]) => {
      const two = { s: id, a: site.models[at].id, ra: trial.run, b: site.models[model].id, rb: run };
      return ["Nearest answer that ", el("b", {}, well), ": ",
        el("a", { href: bench.trialAddress(model, s, { run, v, d }) }, bench.named(site.models[model]), `, run ${run}`),
        " (", el("a", { href: bench.address("compare", two) }, "side by side"), ")"];
    };
    const other = nearest(rows, at, trial);
    const copy = tables.button("Copy the link", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        copy.textContent = "Copied";
      } catch {
        copy.replaceWith(el("input", { readonly: true, value: location.href, "aria-label": "Link to this page" }));
      }
    });
    return el("ul.next", {}, [
      !best(trial.held, trial.share) && (other ? beside(other) : `No answer of another model ${well} here.`),
      el("a", { href: bench.sceneAddress(s) }, `All ${rows.length} answers`),
      el("a", { href: bench.trialAddress(at, s, trial) }, "The whole record of this trial"), copy,
    ].filter(Boolean).map((each) => el("li", {}, each)));
  }
  // What every model was told alike before the scene begins is folded.
  function folded({ said }, turns) {
    const before = ["system", "start", "greeting"].filter((name) => said && said[name] !== undefined).length;
    const summary = el("summary", {}, "System prompt and greeting");
    return before ? [el("details", {}, summary, turns.slice(0, before)), turns.slice(before)] : turns;
  }

  async function draw(given, moved) {
    const at = bench.modelAt(given.get("m"));
    const model = await bench.load(`model-${at + 1}`);
    const lost = bench.losses(model);
    const s = given.has("s") ? bench.scenarioAt(given.get("s")) : (lost.length ? lost[0].cell : model.cells[0]).s;
    const asked = (each) => !given.has("v") || (each.v === given.get("v") && each.d === given.get("d"));
    const cell = model.cells.find((each) => each.s === s && asked(each));
    const loss = lost.find((each) => each.cell === cell);
    const run = given.has("run") ? Number(given.get("run")) : loss ? loss.run : null;
    const { texts, trials } = await conversation.trialsOf(at, s);
    const trial = cell && conversation.find(trials, s, run, cell.v, cell.d);
    if (!trial) throw new bench.NoSuch(`“${site.models[at].label}” has no such trial.`);
    const { rows = [] } = await bench.load(`scenario-${s + 1}`);
    const turns = el("section.turns", { "aria-labelledby": "said" },
      el("h2", { id: "said", "data-scroll": moved && given.has("s") }, bench.sceneLink(s),
        loss && el("small", {}, ` kept ${points(loss.gave)} of ${points(loss.worth)} points`)),
      folded(trial, conversation.body(trial, texts)));
    const verdicts = conversation.verdicts(trial, texts, null, true);
    quotations.mark(turns, verdicts);
    verdicts.querySelector(".outcome").after(...cells(at, cell, trial), next(at, s, trial, rows));
    const { found, all } = quotations.counted(trials, texts);
    if (all) verdicts.append(el("p.facts", {}, "In all verdicts on this model: ",
      `${found} of ${all} (${bench.percent(found / all)}).`));
    const [heading, caption] = [title(at, model), standing(at, model)];
    return [
      bench.crumbs(bench.modelLink(at), el("span", { "aria-current": "page" }, "Explained")),
      el("h1", {}, heading), el("p.aside", {}, caption),
      lost.length > 0 && [
        plots.figure({ name: `explained-${site.models[at].id}`, title: heading, caption,
          draw: (width) => bar(at, lost, width) }), sentence(model, lost)],
      listed(at, lost, s), el("div.trajectory", {}, turns, verdicts),
    ].flat().filter(Boolean);
  }
  addEventListener("DOMContentLoaded", () => bench.page(draw));
}
