// Sorting by every column, rows by the hundred, and downloads as CSV and JSON, for every table marked so. Knows no model.
"use strict";
const tables = (() => {
  const AT_ONCE = 100; // rows that a very long table draws at first
  const LONG = 200; // rows from which a table is very long: a thousand rows take the browser seconds to lay out
  const FEW = 5; // columns below which a table need not be as wide as the page: numbers would stand far from what they say
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const kept = new WeakMap();

  // All rows in their first order, which breaks ties; as they are sorted; and what hides some of them.
  function state(table) {
    if (!kept.has(table)) {
      const first = [...table.tBodies[0].rows];
      kept.set(table, { first, sorted: first, matches: () => true, limit: first.length > LONG ? AT_ONCE : Infinity });
    }
    return kept.get(table);
  }
  function rows(table) {
    const { sorted, matches } = state(table);
    return sorted.filter(matches);
  }
  function draw(table, all = false) {
    const found = rows(table);
    const { limit } = state(table);
    table.tBodies[0].replaceChildren(...(all ? found : found.slice(0, limit)));
    const bar = state(table).bar;
    if (!bar) return;
    bar.hidden = found.length <= limit;
    bar.querySelector("span").textContent = `${Math.min(limit, found.length)} of ${found.length} rows shown.`;
  }
  function filter(table, matches) {
    state(table).matches = matches;
    draw(table);
  }

  function text(cell) {
    return cell.dataset.text !== undefined ? cell.dataset.text : cell.textContent.trim().replace(/\s+/g, " ");
  }
  function value(cell, numeric) {
    const given = cell.dataset.value !== undefined ? cell.dataset.value : text(cell);
    if (!numeric) return cell.textContent.trim();
    return given === "" || given === "–" || Number.isNaN(Number.parseFloat(given)) ? null : Number.parseFloat(given);
  }

  function sort(table, place, down) {
    const heads = [...table.tHead.rows[0].cells];
    const numeric = heads[place].dataset.type === "number";
    const keyed = state(table).first.map((row) => [value(row.cells[place], numeric), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown values come last either way
      const order = numeric ? a - b : collator.compare(a, b);
      return down ? -order : order;
    });
    state(table).sorted = keyed.map(([, row]) => row);
    draw(table);
    heads.forEach((head, at) => head.setAttribute("aria-sort", at === place ? (down ? "descending" : "ascending") : "none"));
    table.dispatchEvent(new CustomEvent("sorted", { detail: { key: heads[place].dataset.key, down } }));
  }

  // A spreadsheet takes a cell that begins so for a formula.
  function guarded(cell) {
    const risky = /^[=+\-@＝＋－＠\t\r]/.test(cell) && !/^[+-]?[\d.,]+( %)?$/.test(cell);
    return `"${(risky ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  }
  function heads(table) {
    return [...table.tHead.rows[0].cells].map(text);
  }
  function csv(table) {
    return lines([heads(table), ...rows(table).map((row) => [...row.cells].map(text))]);
  }
  function lines(rows) {
    return rows.map((cells) => cells.map(guarded).join(",")).join("\r\n") + "\r\n";
  }
  function json(table) {
    const names = heads(table);
    const numeric = [...table.tHead.rows[0].cells].map((head) => head.dataset.type === "number" && !head.classList.contains("intervals"));
    const found = rows(table).map((row) => [...row.cells].map((cell, place) =>
      cell.dataset.value !== undefined && numeric[place] ? value(cell, true) : text(cell)));
    return JSON.stringify({ columns: names, rows: found }, null, 1) + "\n";
  }
  const TYPES = { csv: "text/csv", json: "application/json", svg: "image/svg+xml", png: "image/png" };
  function download(name, kind, content) {
    const place = URL.createObjectURL(new Blob([content], { type: TYPES[kind] }));
    const link = bench.el("a", { href: place, download: `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${kind}` });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(place), 10000);
  }

  function button(label, act, named) {
    return bench.el("button.quiet", { type: "button", "aria-label": named, onclick: act }, label);
  }
  // Columns that are folded away at first come and go together.
  function unfolding(table) {
    const places = [...table.tHead.rows[0].cells].flatMap((head, place) => head.classList.contains("off") ? [place] : []);
    const names = places.map((place) => text(table.tHead.rows[0].cells[place])).join(", ");
    const press = button("", () => {
      const opened = press.getAttribute("aria-expanded") !== "true";
      for (const row of [table.tHead.rows[0], ...state(table).first]) for (const place of places) row.cells[place].classList.toggle("off", !opened);
      tell(opened);
    });
    function tell(opened) {
      press.setAttribute("aria-expanded", opened);
      press.textContent = `${opened ? "Hide" : "Show"} ${places.length} columns: ${names}`;
    }
    press.classList.add("unfold");
    tell(false);
    return places.length ? [press] : [];
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

  function prepare(root) {
    for (const table of root.querySelectorAll("table.sortable:not([data-ready])")) {
      table.dataset.ready = "";
      [...table.tHead.rows[0].cells].forEach((head, place) => {
        const press = bench.el("button.sort", { type: "button", title: head.title || null }, ...head.childNodes);
        head.removeAttribute("title");
        head.append(press);
        head.ariaSort ??= "none";
        press.addEventListener("click", () => {
          const now = head.getAttribute("aria-sort");
          sort(table, place, now === "none" ? head.dataset.down !== undefined : now === "ascending");
        });
      });
      // On a narrow screen a row is a card, whose numbers need their names beside them.
      if (table.matches(".cards")) for (const row of state(table).first) [...row.cells].forEach((cell, place) => { cell.dataset.head = heads(table)[place]; });
      const frame = table.closest(".scroll") || table;
      frame.classList.toggle("few", frame !== table && table.tHead.rows[0].cells.length < FEW);
      const whole = state(table);
      if (whole.limit < Infinity) {
        whole.bar = bench.el("p.more", {}, bench.el("span", {}),
          button(`Show ${AT_ONCE} more`, () => { whole.limit += AT_ONCE; draw(table); }),
          button("Show all", () => { whole.limit = Infinity; draw(table); }));
        frame.after(whole.bar);
        draw(table);
        addEventListener("beforeprint", () => draw(table, true));
        addEventListener("afterprint", () => draw(table));
      }
      if (frame !== table) watched.observe(frame), watched.observe(table);
      const name = table.dataset.download;
      if (!name) continue;
      const bar = bench.el("p.downloads", {});
      if (!table.matches(".leaderboard")) bar.append(...unfolding(table)); // which has another chooser
      for (const kind of ["csv", "json"]) {
        const named = `Download ${name.replaceAll("-", " ")} as ${kind.toUpperCase()}`;
        // A table may name a tidy file of the site in its place: one row per model, a column per number.
        bar.append(table.dataset[kind] ? bench.el("a.button", { href: table.dataset[kind], download: true, "aria-label": named }, kind.toUpperCase())
          : button(kind.toUpperCase(), () => download(name, kind, kind === "csv" ? csv(table) : json(table)), named));
      }
      frame.after(bar);
    }
  }

  document.addEventListener("DOMContentLoaded", () => prepare(document));
  return { prepare, sort, filter, rows, text, all: (table) => state(table).first, csv, json, lines, download, button };
})();
