// What the reader asks of the leaderboard: words, facets, order and columns. All of it lives in the address.
"use strict";
{
  const { el, words, UNKNOWN } = bench;
  const form = document.getElementById("filters");
  const field = (name) => document.getElementById(`filter-${name}`);
  const sheets = [...document.querySelectorAll("table")].filter((table) => table.querySelector("tr[data-label]"));
  const rows = sheets.flatMap((table) => tables.all(table));
  const board = document.querySelector("table.leaderboard");
  const boardRows = board ? tables.all(board) : [];
  const heads = board ? [...board.tHead.rows[0].cells] : [];
  const off = (head) => head.classList.contains("off");
  const FIRST = heads.filter((head) => !off(head)).map((head) => head.dataset.key).join(",");
  const NAMES = {
    vendor: {}, provider: { any: "any host" }, effort: {}, open: { yes: "open", no: "closed" },
    tier: {}, doubt: { yes: "with a warning", no: "without" },
  };
  const FACETS = Object.keys(NAMES);
  const told = new Map(rows.map((row) => {
    const { label, id, vendor, provider } = row.dataset;
    const name = row.querySelector("th").textContent;
    const glued = [label, id, name].join(" ").toLowerCase();
    return [row, { glued, own: words([label, id, vendor, provider, name].join(" ")) }];
  }));
  const fact = (row, name) => row.dataset[name] || UNKNOWN;
  // ---- Facets ----
  const boxes = FACETS.flatMap((name) => {
    const facet = form.querySelector(`[data-facet=${name}]`);
    const values = bench.values(rows.map((row) => fact(row, name)));
    facet.hidden = values.length < 2;
    return values.map((value) => {
      const box = el("input", { type: "checkbox", value });
      const count = el("small", {});
      facet.querySelector("fieldset").append(el("label", {}, box, NAMES[name][value] || value, count));
      return { name, box, value, count, number: 0 };
    });
  });
  field("price").closest("label").hidden = rows.every((row) => row.dataset.price === "");
  const chosen = (name) => boxes.filter((each) => each.name === name && each.box.checked).map(({ value }) => value);
  // ---- Columns and order ----
  const order = field("order");
  const columns = heads.map((head, place) => {
    const box = el("input", { type: "checkbox", value: head.dataset.key });
    const fixed = place < 3;
    if (!fixed) form.querySelector("[data-columns] fieldset").append(el("label", {}, box, tables.text(head)));
    order.append(new Option(tables.text(head), head.dataset.key));
    return { head, box, place, fixed };
  });
  const shownKeys = () => columns.filter(({ box }) => box.checked).map(({ head }) => head.dataset.key);
  const column = (key) => heads.findIndex((head) => head.dataset.key === key);
  function showColumns(keys) {
    for (const { head, box, place, fixed } of columns) {
      box.checked = fixed || keys.includes(head.dataset.key);
      if (off(head) !== box.checked) continue;
      for (const row of [board.tHead.rows[0], ...boardRows]) row.cells[place].classList.toggle("off", !box.checked);
    }
    const shown = columns.filter(({ head }) => !off(head)).length;
    form.querySelector("[data-columns] > summary").textContent = `Columns ${shown} of ${columns.length}`;
  }
  let sorted = { key: "rank", down: false };
  // Index and order by one judge alone, without ranks; intervals and components stay the panel's and are greyed.
  function judged(judge) {
    if (!board || !bench.site()) return;
    board.classList.toggle("one-judge", judge !== "");
    for (const row of boardRows) {
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
    const price = field("price").value;
    const given = Object.fromEntries(FACETS.map((name) => [name, chosen(name)]));
    const passes = (row, name) => !given[name].length || given[name].includes(fact(row, name));
    const says = ({ glued, own }) => glued.includes(whole) || bench.matches(own, asked);
    const others = (row) => says(told.get(row))
      && (price === "" || (row.dataset.price !== "" && Number(row.dataset.price) <= Number(price)));
    const found = new Set();
    for (const each of boxes) each.number = 0;
    for (const row of rows.filter(others)) {
      const fails = FACETS.filter((name) => !passes(row, name));
      if (fails.length > 1) continue;
      if (!fails.length) found.add(row);
      // A facet counts what each of its values would show, beside the other facets' choices.
      for (const name of fails.length ? fails : FACETS) {
        boxes.find((each) => each.name === name && each.value === fact(row, name)).number += 1;
      }
    }
    for (const { count, number } of boxes) count.textContent = number;
    const now = field("judge") ? field("judge").value : "";
    if (now !== judge) {
      judge = now;
      judged(now);
      tables.sort(board, 0, false);
    }
    for (const table of sheets) {
      tables.filter(table, (row) => found.has(row));
      table.closest("section").hidden = !tables.rows(table).length;
    }
    if (board) board.classList.toggle("in-tiers", sorted.key === "rank" && !sorted.down && !now);
    let highest = 0; // a tier begins with its highest model of those that are shown
    for (const row of board ? tables.rows(board) : []) {
      const starts = Number(row.dataset.tier) > highest;
      row.classList.toggle("starts", starts);
      if (starts) highest = Number(row.dataset.tier);
    }
    field("count").textContent = `${found.size === rows.length ? "" : `${found.size} of `}${rows.length} models`
      + (found.size ? "" : ": reset to see all");
    write({ text: field("text").value, ...given, price, judge: now });
  }
  function write(asked) {
    const pairs = Object.entries(asked).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    const given = new URLSearchParams(pairs.filter(([, value]) => value !== ""));
    if (sorted.key !== "rank" || sorted.down) given.set("sort", `${sorted.down ? "-" : ""}${sorted.key}`);
    if (String(shownKeys()) !== FIRST) given.set("columns", shownKeys());
    history.replaceState(null, "", String(given) ? `#${given}` : location.pathname + location.search);
    order.value = sorted.key;
  }
  function read() {
    const given = bench.parameters();
    for (const name of ["text", "price", "judge"]) if (field(name)) field(name).value = given.get(name) ?? "";
    for (const { name, box, value } of boxes) box.checked = given.getAll(name).includes(value);
    if (board) {
      showColumns((given.get("columns") ?? FIRST).split(","));
      const asked = given.get("sort") || "rank";
      const place = column(asked.replace(/^-/, ""));
      const moved = given.has("sort") || sorted.key !== "rank" || sorted.down;
      if (place >= 0 && moved) tables.sort(board, place, asked.startsWith("-"));
    }
    apply();
  }
  // ---- Two to five ticked models stand side by side ----
  const ticked = () => rows.filter((row) => row.querySelector("input.tick:checked")).map((row) => row.dataset.model);
  function compare() {
    bench.go("compare", Object.fromEntries(ticked().slice(0, 5).map((id, at) => ["abcde"[at], id])));
  }
  const beside = el("button", { type: "button", hidden: true, onclick: compare }, "Compare");
  function tick() {
    beside.hidden = ticked().length < 2;
    beside.textContent = `Compare ${Math.min(5, ticked().length)} models`;
  }
  addEventListener("DOMContentLoaded", () => {
    form.hidden = rows.length === 0;
    if (!rows.length) return;
    if (board) board.addEventListener("sorted", ({ detail }) => { sorted = detail; apply(); });
    form.addEventListener("input", ({ target }) => {
      const place = column(order.value);
      if (target === order) tables.sort(board, place, heads[place].dataset.down !== undefined);
      else if (target.closest("[data-columns]")) showColumns(shownKeys());
      apply();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => {
      showColumns(FIRST.split(","));
      if (board) tables.sort(board, 0, false);
      apply();
    }));
    bench.closing(form);
    for (const row of boardRows) {
      const label = `Compare ${row.querySelector("th a").textContent}`;
      row.cells[1].prepend(el("input.tick", { type: "checkbox", "aria-label": label, onchange: tick }));
    }
    field("count").before(beside);
    addEventListener("hashchange", read);
    read();
  });
}
