// What the reader asks of the leaderboard: words, facets, order and columns. All of it lives in the address.
"use strict";
{
  const form = document.getElementById("filters");
  const field = (name) => document.getElementById(`filter-${name}`);
  const sheets = [...document.querySelectorAll("table")].filter((table) => table.querySelector("tr[data-label]"));
  const board = document.querySelector("table.leaderboard");
  const rows = sheets.flatMap((table) => tables.all(table));
  const NAMES = { vendor: {}, provider: { any: "any host" }, effort: {}, open: { yes: "open", no: "closed" }, tier: {}, doubt: { yes: "with a warning", no: "without" } };
  const FACETS = Object.keys(NAMES);
  const heads = board ? [...board.tHead.rows[0].cells] : [];
  const FIRST = heads.filter((head) => !head.classList.contains("off")).map((head) => head.dataset.key).join(",");
  const UNKNOWN = "unknown";

  const { words } = bench;
  const told = new Map(rows.map((row) => {
    const name = row.querySelector("th");
    const all = words([row.dataset.label, row.dataset.id, row.dataset.vendor, row.dataset.provider, name.textContent].join(" "));
    return [row, { words: all, glued: [row.dataset.label, row.dataset.id, name.textContent].join(" ").toLowerCase() }];
  }));
  const says = (row, asked, whole) => told.get(row).glued.includes(whole)
    || asked.every((word) => told.get(row).words.some((own) => own.startsWith(word) || (word.length > 2 && own.includes(word))));
  const fact = (row, name) => row.dataset[name] || UNKNOWN;

  // ---- Facets ----
  const boxes = new Map(FACETS.map((name) => [name, []]));
  for (const name of FACETS) {
    const facet = form.querySelector(`[data-facet=${name}]`);
    const values = [...new Set(rows.map((row) => fact(row, name)))]
      .sort((a, b) => (a === UNKNOWN) - (b === UNKNOWN) || a.localeCompare(b, "en", { sensitivity: "base" }));
    facet.hidden = values.length < 2;
    for (const value of values) {
      const box = bench.el("input", { type: "checkbox", value });
      const count = bench.el("small", {});
      facet.querySelector("fieldset").append(bench.el("label", {}, box, NAMES[name][value] || value, count));
      boxes.get(name).push({ box, value, count });
    }
  }
  field("price").closest("label").hidden = rows.every((row) => row.dataset.price === "");
  const chosen = (name) => boxes.get(name).filter(({ box }) => box.checked).map(({ value }) => value);

  // ---- Columns and order ----
  const columns = heads.map((head, place) => {
    const box = bench.el("input", { type: "checkbox", value: head.dataset.key });
    const fixed = place < 3;
    if (!fixed) form.querySelector("[data-columns] fieldset").append(bench.el("label", {}, box, tables.text(head)));
    return { head, box, place, fixed };
  });
  function showColumns(keys) {
    for (const { head, box, place, fixed } of columns) {
      const shown = fixed || keys.includes(head.dataset.key);
      box.checked = shown;
      if (head.classList.contains("off") !== shown) continue;
      head.classList.toggle("off", !shown);
      for (const row of tables.all(board)) row.cells[place].classList.toggle("off", !shown);
    }
    const shown = columns.filter(({ head }) => !head.classList.contains("off")).length;
    form.querySelector("[data-columns] > summary").textContent = `Columns ${shown} of ${columns.length}`;
  }
  const order = field("order");
  for (const { head } of columns) order.append(new Option(tables.text(head), head.dataset.key));
  let sorted = { key: "rank", down: false };

  // Index and order by one judge of the panel alone, without ranks; intervals and components stay the panel's and are greyed.
  function judged(judge) {
    if (!board || !bench.site()) return;
    board.classList.toggle("one-judge", judge !== "");
    for (const row of tables.all(board)) {
      const model = bench.site().models[Number(row.dataset.place)];
      const [index, place] = judge === "" ? [model.index, Number(row.dataset.place)] : model.judges[Number(judge)];
      const rank = (judge === "" && model.rank) || "–";
      Object.assign(row.cells[0].dataset, { value: place ?? "", text: rank });
      row.cells[0].querySelector("b").textContent = rank;
      row.cells[2].dataset.value = index ?? "";
      row.cells[2].querySelector("a").textContent = bench.number(index);
    }
  }

  let judge = "";
  function apply() {
    const whole = field("text").value.trim().toLowerCase();
    const asked = words(whole);
    const price = field("price").value === "" ? null : Number(field("price").value);
    const given = Object.fromEntries(FACETS.map((name) => [name, chosen(name)]));
    const passes = (row, name) => !given[name].length || given[name].includes(fact(row, name));
    const others = (row) => (!whole || says(row, asked, whole))
      && (price === null || (row.dataset.price !== "" && Number(row.dataset.price) <= price));
    const found = new Set();
    for (const name of FACETS) for (const each of boxes.get(name)) each.number = 0;
    for (const row of rows) {
      const fails = others(row) ? FACETS.filter((name) => !passes(row, name)) : null;
      if (fails === null || fails.length > 1) continue;
      if (!fails.length) found.add(row);
      // A facet counts what each of its values would show, beside the other facets' choices.
      for (const name of fails.length ? fails : FACETS) boxes.get(name).find(({ value }) => value === fact(row, name)).number += 1;
    }
    for (const name of FACETS) for (const { count, number } of boxes.get(name)) count.textContent = number;
    const now = field("judge") ? field("judge").value : "";
    if (now !== judge) {
      judged((judge = now));
      tables.sort(board, 0, false);
    }
    for (const table of sheets) {
      tables.filter(table, (row) => found.has(row));
      table.closest("section").hidden = !tables.rows(table).length;
    }
    if (board) board.classList.toggle("in-tiers", sorted.key === "rank" && !sorted.down && !now);
    let tier = 0; // begins with its highest model of those that are shown
    for (const row of board ? tables.rows(board) : []) if (row.classList.toggle("starts", Number(row.dataset.tier) > tier)) tier = Number(row.dataset.tier);
    field("count").textContent = found.size === rows.length ? `${rows.length} models` : found.size ? `${found.size} of ${rows.length} models` : `0 of ${rows.length} models: reset to see all`;
    write({ text: field("text").value, ...Object.fromEntries(FACETS.map((name) => [name, given[name]])), price: field("price").value, judge: now });
  }

  function write(asked) {
    const shown = columns.filter(({ box }) => box.checked).map(({ head }) => head.dataset.key).join(",");
    const given = new URLSearchParams(Object.entries(asked).flatMap(([name, value]) => [value].flat().filter((each) => each !== "").map((each) => [name, each])));
    if (sorted.key !== "rank" || sorted.down) given.set("sort", `${sorted.down ? "-" : ""}${sorted.key}`);
    if (shown !== FIRST) given.set("columns", shown);
    history.replaceState(null, "", String(given) ? `#${given}` : location.pathname + location.search);
    order.value = sorted.key;
  }

  function read() {
    const given = bench.parameters();
    for (const name of ["text", "price", "judge"]) if (field(name)) field(name).value = given.get(name) ?? "";
    for (const name of FACETS) for (const { box, value } of boxes.get(name)) box.checked = given.getAll(name).includes(value);
    if (board) {
      showColumns((given.get("columns") ?? FIRST).split(","));
      const asked = given.get("sort") || "rank";
      const place = heads.findIndex((head) => head.dataset.key === asked.replace(/^-/, ""));
      if (place >= 0 && (given.has("sort") || sorted.key !== "rank" || sorted.down)) tables.sort(board, place, asked.startsWith("-"));
    }
    apply();
  }

  // ---- Two to five ticked models stand side by side ----
  const ticked = () => rows.filter((row) => row.querySelector("input.tick:checked")).map((row) => row.dataset.model);
  const beside = bench.el("button", { type: "button", hidden: true, onclick: () => bench.go("compare", Object.fromEntries(ticked().slice(0, 5).map((id, at) => ["abcde"[at], id]))) }, "Compare");
  function tick() {
    for (const row of board ? tables.all(board) : []) {
      row.cells[1].prepend(bench.el("input.tick", { type: "checkbox", "aria-label": `Compare ${row.querySelector("th a").textContent}`, onchange: () => { beside.hidden = ticked().length < 2; beside.textContent = `Compare ${Math.min(5, ticked().length)} models`; } }));
    }
    field("count").before(beside);
  }

  addEventListener("DOMContentLoaded", () => {
    form.hidden = rows.length === 0;
    if (!rows.length) return;
    if (board) board.addEventListener("sorted", ({ detail }) => { sorted = detail; apply(); });
    form.addEventListener("input", (event) => {
      if (event.target === order) tables.sort(board, heads.findIndex((head) => head.dataset.key === order.value), heads.find((head) => head.dataset.key === order.value).dataset.down !== undefined);
      else if (event.target.closest("[data-columns]")) showColumns(columns.filter(({ box }) => box.checked).map(({ head }) => head.dataset.key));
      apply();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { showColumns(FIRST.split(",")); if (board) tables.sort(board, 0, false); apply(); }));
    bench.closing(form);
    tick();
    addEventListener("hashchange", read);
    read();
  });
}
