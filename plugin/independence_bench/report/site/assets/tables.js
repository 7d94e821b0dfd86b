// Sorting by every column, rows by the hundred, and downloads as CSV and JSON, of marked tables. Knows no model.
"use strict";
const tables = (() => {
  const AT_ONCE = 100; // rows that a very long table draws at first
  const LONG = 200; // rows from which a table is very long: a thousand rows take the browser seconds to lay out
  const FEW = 5; // columns below which a table is less wide than the page: numbers would be far from what they say
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const kept = new WeakMap();
  const heads = (table) => [...table.tHead.rows[0].cells];
  // All rows in their first order, which breaks ties; as they are sorted; and what hides some of them.
  function state(table) {
    if (!kept.has(table)) {
      const first = [...table.tBodies[0].rows];
      kept.set(table, { first, sorted: first, matches: () => true, limit: first.length > LONG ? AT_ONCE : Infinity });
    }
    return kept.get(table);
  }
  const rows = (table) => state(table).sorted.filter(state(table).matches);
  function draw(table, all = false) {
    const found = rows(table);
    const { limit, bar } = state(table);
    table.tBodies[0].replaceChildren(...(all ? found : found.slice(0, limit)));
    if (!bar) return;
    bar.hidden = found.length <= limit;
    bar.querySelector("span").textContent = `${Math.min(limit, found.length)} of ${found.length} rows shown.`;
  }
  function filter(table, matches) {
    state(table).matches = matches;
    draw(table);
  }
  const text = (cell) => cell.dataset.text ?? cell.textContent.trim().replace(/\s+/g, " ");
  function value(cell, numeric) {
    if (!numeric) return cell.textContent.trim();
    const given = Number.parseFloat(cell.dataset.value ?? text(cell));
    return Number.isNaN(given) ? null : given;
  }
  function sort(table, place, down) {
    const own = state(table);
    const { dataset } = heads(table)[place];
    const numeric = dataset.type === "number";
    const keyed = own.first.map((row) => [value(row.cells[place], numeric), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown values come last either way
      const order = numeric ? a - b : collator.compare(a, b);
      return down ? -order : order;
    });
    own.sorted = keyed.map(([, row]) => row);
    draw(table);
    const order = down ? "descending" : "ascending";
    heads(table).forEach((head, at) => head.setAttribute("aria-sort", at === place ? order : "none"));
    table.dispatchEvent(new CustomEvent("sorted", { detail: { key: dataset.key, down } }));
  }
  // A spreadsheet takes a cell that begins so for a formula.
  function guarded(cell) {
    const risky = /^[=+\-@＝＋－＠\t\r]/.test(cell) && !/^[+-]?[\d.,]+( %)?$/.test(cell);
    return `"${(risky ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  }
  const lines = (rows) => rows.map((cells) => cells.map(guarded).join(",")).join("\r\n") + "\r\n";
  const csv = (table) =>
    lines([heads(table), ...rows(table).map((row) => [...row.cells])].map((cells) => cells.map(text)));
  function json(table) {
    const numeric = heads(table).map((head) => head.dataset.type === "number" && !head.matches(".intervals"));
    const found = rows(table).map((row) => [...row.cells].map((cell, place) =>
      cell.dataset.value !== undefined && numeric[place] ? value(cell, true) : text(cell)));
    return JSON.stringify({ columns: heads(table).map(text), rows: found }, null, 1) + "\n";
  }
  const TYPES = { csv: "text/csv", json: "application/json", svg: "image/svg+xml", png: "image/png" };
  function download(name, kind, content) {
    const href = URL.createObjectURL(new Blob([content], { type: TYPES[kind] }));
    const link = bench.el("a", { href, download: `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${kind}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  }
  const button = (label, onclick, named) =>
    bench.el("button.quiet", { type: "button", "aria-label": named, onclick }, label);
  // Columns that are folded away at first come and go together.
  function unfolding(table) {
    const folded = heads(table).filter((head) => head.matches(".off"));
    if (!folded.length) return [];
    const places = folded.map((head) => head.cellIndex);
    const press = button("", () => {
      const opened = press.getAttribute("aria-expanded") !== "true";
      for (const row of [table.tHead.rows[0], ...state(table).first]) {
        for (const place of places) row.cells[place].classList.toggle("off", !opened);
      }
      tell(opened);
    });
    function tell(opened) {
      press.setAttribute("aria-expanded", opened);
      press.textContent = `${opened ? "Hide" : "Show"} ${places.length} columns: ${folded.map(text).join(", ")}`;
    }
    press.classList.add("unfold");
    tell(false);
    return [press];
  }
  // A table that fits its frame lets its head stick to the page; one that does not scrolls in the frame, head and all.
  function fit(frame) {
    const table = frame.querySelector(":scope > table");
    if (!table) return;
    const fits = frame.clientWidth === 0 || table.scrollWidth <= frame.clientWidth + 1;
    frame.classList.toggle("fits", fits);
    frame.classList.toggle("long", table.rows.length > 12);
    if (fits) frame.removeAttribute("tabindex");
    else frame.tabIndex = 0;
  }
  const watched = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target.closest(".scroll"))));
  function sortable(table, head, place) {
    const onclick = () => {
      const now = head.getAttribute("aria-sort");
      sort(table, place, now === "none" ? head.dataset.down !== undefined : now === "ascending");
    };
    const title = head.title || null;
    head.append(bench.el("button.sort", { type: "button", title, onclick }, ...head.childNodes));
    head.removeAttribute("title");
    head.ariaSort ??= "none";
  }
  // Buttons for the rows that a very long table does not draw at first; paper shows them all.
  function growing(table, frame) {
    const own = state(table);
    const grow = (by) => { own.limit += by; draw(table); };
    own.bar = bench.el("p.more", {}, bench.el("span", {}), button(`Show ${AT_ONCE} more`, () => grow(AT_ONCE)),
      button("Show all", () => grow(Infinity)));
    frame.after(own.bar);
    draw(table);
    addEventListener("beforeprint", () => draw(table, true));
    addEventListener("afterprint", () => draw(table));
  }
  function saving(table, name, kind) {
    const label = kind.toUpperCase();
    const named = `Download ${name.replaceAll("-", " ")} as ${label}`;
    // A table may name a tidy file of the site in its place: one row per model, a column per number.
    const href = table.dataset[kind];
    if (href) return bench.el("a.button", { href, download: true, "aria-label": named }, label);
    return button(label, () => download(name, kind, kind === "csv" ? csv(table) : json(table)), named);
  }
  function prepare(root) {
    for (const table of root.querySelectorAll("table.sortable:not([data-ready])")) {
      table.dataset.ready = "";
      heads(table).forEach((head, place) => sortable(table, head, place));
      // On a narrow screen a row is a card, whose numbers need their names beside them.
      for (const row of table.matches(".cards") ? state(table).first : []) {
        for (const [place, cell] of [...row.cells].entries()) cell.dataset.head = text(heads(table)[place]);
      }
      const frame = table.closest(".scroll") || table;
      frame.classList.toggle("few", frame !== table && heads(table).length < FEW);
      if (state(table).limit < Infinity) growing(table, frame);
      if (frame !== table) for (const each of [frame, table]) watched.observe(each);
      const name = table.dataset.download;
      if (!name) continue;
      const folded = table.matches(".leaderboard") ? [] : unfolding(table); // which has another chooser
      frame.after(bench.el("p.downloads", {}, folded, ["csv", "json"].map((kind) => saving(table, name, kind))));
    }
  }

  document.addEventListener("DOMContentLoaded", () => prepare(document));
  return { prepare, sort, filter, rows, text, all: (table) => state(table).first, csv, json, lines, download, button };
})();
