// Sorting by every column, and downloads as CSV and JSON, for every table marked so. Knows no model and no number.
"use strict";
const tables = (() => {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function text(cell) {
    return cell.dataset.text !== undefined ? cell.dataset.text : cell.textContent.trim().replace(/\s+/g, " ");
  }
  function value(cell, numeric) {
    const given = cell.dataset.value !== undefined ? cell.dataset.value : text(cell);
    if (!numeric) return text(cell);
    return given === "" || given === "–" || Number.isNaN(Number.parseFloat(given)) ? null : Number.parseFloat(given);
  }

  function sort(table, place, down) {
    const heads = [...table.tHead.rows[0].cells];
    const numeric = heads[place].dataset.type === "number";
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [value(row.cells[place], numeric), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // unknown values come last either way
      const order = numeric ? a - b : collator.compare(a, b);
      return down ? -order : order;
    });
    body.replaceChildren(...keyed.map(([, row]) => row));
    heads.forEach((head, at) => head.setAttribute("aria-sort", at === place ? (down ? "descending" : "ascending") : "none"));
  }

  // A spreadsheet takes a cell that begins so for a formula.
  function guarded(cell) {
    const risky = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,]+( %)?$/.test(cell);
    return `"${(risky ? `'${cell}` : cell).replaceAll('"', '""')}"`;
  }
  function rows(table) {
    return [...table.tBodies[0].rows].filter((row) => !row.hidden);
  }
  function heads(table) {
    return [...table.tHead.rows[0].cells].map(text);
  }
  function csv(table) {
    const lines = [heads(table), ...rows(table).map((row) => [...row.cells].map(text))];
    return lines.map((cells) => cells.map(guarded).join(",")).join("\r\n") + "\r\n";
  }
  function json(table) {
    const names = heads(table);
    const numeric = [...table.tHead.rows[0].cells].map((head) => head.dataset.type === "number" && !head.classList.contains("drawn"));
    const found = rows(table).map((row) => [...row.cells].map((cell, place) =>
      cell.dataset.value !== undefined && numeric[place] ? value(cell, true) : text(cell)));
    return JSON.stringify({ columns: names, rows: found }, null, 1) + "\n";
  }
  function download(name, kind, content) {
    const link = document.createElement("a");
    const place = URL.createObjectURL(new Blob([content], { type: kind === "csv" ? "text/csv" : "application/json" }));
    link.href = place;
    link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${kind}`;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(place), 10000);
  }

  function prepare(root) {
    for (const table of root.querySelectorAll("table.sortable:not([data-ready])")) {
      table.dataset.ready = "";
      [...table.tHead.rows[0].cells].forEach((head, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.append(...head.childNodes);
        button.title = head.title;
        head.append(button);
        head.setAttribute("aria-sort", "none");
        button.addEventListener("click", () => {
          const now = head.getAttribute("aria-sort");
          sort(table, place, now === "none" ? head.dataset.down !== undefined : now === "ascending");
        });
      });
      const name = table.dataset.download;
      if (!name) continue;
      const bar = document.createElement("p");
      bar.className = "downloads";
      for (const kind of ["csv", "json"]) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet";
        button.textContent = kind.toUpperCase();
        button.setAttribute("aria-label", `Download ${name.replaceAll("-", " ")} as ${kind.toUpperCase()}`);
        button.addEventListener("click", () => download(name, kind, kind === "csv" ? csv(table) : json(table)));
        bar.append(button);
      }
      (table.closest(".scroll") || table).after(bar);
    }
  }

  document.addEventListener("DOMContentLoaded", () => prepare(document));
  return { prepare, sort, csv, json, guarded, download };
})();
