// Filters of the leaderboard, kept in the address so that a filtered view can be shared.
"use strict";
{
  const field = (name) => document.getElementById(`filter-${name}`);
  const form = document.getElementById("filters");
  const NAMES = ["text", "vendor", "provider", "thinking", "open", "price", "judge"];
  const rows = [...document.querySelectorAll("tr[data-label]")];
  const ranked = [...document.querySelectorAll("table.leaderboard tbody tr")];
  const marks = [...document.querySelectorAll("svg .mark")]; // of models that are filtered away the charts draw a shadow
  const told = rows.map((row) => `${row.dataset.label} ${row.dataset.id}`.toLowerCase());

  function offer(select, values) {
    for (const value of [...new Set(values)].filter(Boolean).sort()) select.append(new Option(bench.visible(value), value));
    if (select.options.length < 2) select.closest("label").hidden = true;
  }

  function matches(row, place, asked) {
    const facts = row.dataset;
    const price = asked.price === "" ? null : Number(asked.price);
    return (!asked.text || told[place].includes(asked.text.toLowerCase()))
      && (!asked.vendor || facts.vendor === asked.vendor)
      && (!asked.provider || facts.provider === asked.provider)
      && (!asked.thinking || facts.thinking === asked.thinking)
      && (!asked.open || facts.open === asked.open)
      && (price === null || (facts.price !== "" && Number(facts.price) <= price));
  }

  function asked() {
    return Object.fromEntries(NAMES.map((name) => [name, field(name) ? field(name).value : ""]));
  }

  // Index and rank by one judge of the panel alone; intervals, tiers and components stay the panel's and are greyed.
  function judged(judge) {
    const table = document.querySelector("table.leaderboard");
    if (!table || !bench.site()) return;
    table.classList.toggle("one-judge", judge !== "");
    for (const row of ranked) {
      const model = bench.site().models[Number(row.dataset.place)];
      const [index, rank] = judge === "" ? [model.index, model.rank] : model.judges[Number(judge)];
      row.cells[0].dataset.value = rank ?? 9999;
      row.cells[0].textContent = rank ?? "–";
      row.cells[2].dataset.value = index ?? "";
      row.cells[2].textContent = bench.number(index);
    }
    tables.sort(table, 0, false);
  }

  let judge = "";
  function apply() {
    const now = asked();
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !matches(row, place, now);
      shown += !row.hidden;
    });
    const away = new Set(rows.filter((row) => row.hidden).map((row) => row.dataset.model));
    for (const mark of marks) mark.classList.toggle("away", away.has(mark.dataset.id));
    if (now.judge !== judge) judged((judge = now.judge));
    field("count").textContent = shown === rows.length ? `${shown} models` : `${shown} of ${rows.length} models`;
    const given = new URLSearchParams(Object.entries(now).filter(([, value]) => value !== ""));
    const address = String(given) ? `#${given}` : location.pathname + location.search;
    history.replaceState(null, "", address);
  }

  function read() {
    const given = bench.parameters();
    for (const name of NAMES) if (field(name)) field(name).value = given.get(name) ?? "";
    apply();
  }

  offer(field("vendor"), rows.map((row) => row.dataset.vendor));
  offer(field("provider"), rows.map((row) => row.dataset.provider));
  form.hidden = rows.length === 0;
  form.addEventListener("input", (event) => { if (event.target.id !== "filter-view") apply(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  if (field("view")) field("view").addEventListener("change", (event) => { location.href = event.target.value; });
  addEventListener("hashchange", read);
  addEventListener("DOMContentLoaded", read);
}
