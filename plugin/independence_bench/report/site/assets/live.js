// A session while it runs: asks the server of `view --follow` every two seconds, until the session has ended.
"use strict";
{
  const { el } = bench;
  const EVERY = 2000;
  const WAITING = 5000; // before a session has begun
  const box = document.getElementById("live");
  const heading = document.getElementById("heading");
  let ran = false;
  let failed = 0;

  const clock = (at) => new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const fact = (value, words) => el("li", {}, el("b", {}, value), words);

  function progress(now) {
    const share = now.total ? now.done / now.total : 0;
    return [
      el("progress", { max: now.total || 1, value: now.done, "aria-label": `${now.done} of ${now.total} trials` }),
      el("ul.numbers", {},
        fact(`${now.done} / ${now.total}`, `trials measured (${Math.floor(100 * share)} %)`),
        now.state === "running" && fact(String(now.left), "left to ask"),
        now.state === "running" && fact(now.trials_per_minute.toFixed(1), "a minute"),
        now.state === "running" && fact(now.time_left || "–", "left at this pace"),
        fact(`$${bench.dollars(now.cost_usd)}`, `spent${now.unknown_costs ? `, ${now.unknown_costs} costs unknown` : ""}`),
        fact(String(Object.values(now.failures).reduce((sum, each) => sum + each, 0)), Object.keys(now.failures).length ? `failed: ${Object.entries(now.failures).map(([kind, count]) => `${count} × ${kind}`).join(", ")}` : "failed")),
    ];
  }
  function verdict({ held, near }) {
    return held === 1 ? el("span.mark.good", {}, "held") : held === 0 ? el("span.mark.bad", {}, near || "yielded") : el("span.mark", {}, "measured");
  }
  function newest(now) {
    return el("section", { "aria-labelledby": "newest" }, el("h2", { id: "newest" }, "Newest answers"),
      now.newest.length ? el("ul.answers", {}, now.newest.map((each) => el("li", {},
        el("header", {}, el("small", {}, clock(each.at)), el("strong", {}, el("bdi", {}, each.name)), el("span", {}, `${each.scenario}, run ${each.run}`), verdict(each)),
        el("p", { dir: "auto" }, each.answer || "It answered with nothing."),
        each.reason && el("p.aside", {}, "The judge: ", each.reason)))) : el("p.aside", {}, "None yet."));
  }
  function board(now) {
    const score = (row) => row.index !== undefined ? bench.number(row.index) : bench.interval(row.bounds);
    return el("section", { "aria-labelledby": "board" }, el("h2", { id: "board" }, "The board so far"),
      el("div.scroll", { tabindex: 0, role: "group", "aria-label": "The board so far" }, el("table", {},
        el("thead", {}, el("tr", {}, el("th.text", { scope: "col" }, "Model"), el("th", { scope: "col" }, "Index, or its bounds"), el("th", { scope: "col" }, "Of the best so far"), el("th", { scope: "col" }, "Held"), el("th", { scope: "col" }, "Measured"))),
        el("tbody", {}, now.board.map((row) => el("tr", {}, el("th.text", { scope: "row" }, el("bdi", {}, row.name)), el("td", {}, score(row)),
          el("td", {}, row.share === undefined ? "–" : [bench.percent(row.share), bench.meter(row.share)]), el("td", {}, `${row.held[0]} of ${row.held[1]}`), el("td", {}, `${row.measured} of ${row.planned}`)))))),
      el("p.aside", {}, "The models of this session. A model has an Index once every planned trial of the runs that it has begun is measured; until then its bounds say what it could become."));
  }

  function draw(now) {
    ran = ran || now.state === "running";
    heading.textContent = now.state === "running" ? "A session is running" : now.state === "waiting" ? "Waiting for a session" : now.state === "ended" ? "The session has ended" : "The session was killed";
    document.title = `${now.state === "running" && now.total ? `${Math.floor(100 * now.done / now.total)} % · ` : ""}Live · Independence Index`;
    document.getElementById("to-board").hidden = !now.site;
    if (now.state === "waiting") {
      box.replaceChildren(el("p.aside", {}, `${now.trouble || "The store holds no session yet."} This page looks again every five seconds.`));
      return;
    }
    const about = [`session ${now.session}`, `edition ${now.edition}`, `since ${clock(now.started_at)}`, now.ended_at && `ended ${clock(now.ended_at)}`, now.shard && `shard ${now.shard}`].filter(Boolean).join(" · ");
    box.replaceChildren(...[
      el("p.aside", {}, about), progress(now),
      now.state !== "running" && el("p.note", {}, ran ? "This page is no longer live. " : "The newest session has ended; this page waits for the next one. ", now.site && el("a", { href: "index.html" }, "Open the leaderboard")),
      el("div.side-by-side", {}, board(now), newest(now)),
    ].flat().filter(Boolean));
  }

  async function ask() {
    let next = EVERY;
    try {
      const now = await (await fetch("live.json", { cache: "no-store" })).json();
      failed = 0;
      draw(now);
      // Once it has ended, only the site is waited for, which is written then.
      if (now.state !== "running") next = ran && now.site ? 0 : WAITING;
    } catch (error) {
      failed += 1;
      next = WAITING;
      if (failed > 2) {
        heading.textContent = "The server has gone";
        next = 0;
      }
    }
    if (next) setTimeout(ask, next);
  }
  document.addEventListener("DOMContentLoaded", ask);
}
