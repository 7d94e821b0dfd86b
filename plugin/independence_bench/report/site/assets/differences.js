// Which words two texts do not share: all outside of a longest common subsequence, found by dynamic programming.
"use strict";
const differences = (() => {
  const CELLS = 4000000; // of the table: two texts of a thousand words, with the spaces between them
  const MOST = 1200; // words that only one text has; beyond that nearly everything is marked
  // Returns [[words, shared], …] for each of the two texts; null where they differ too much to say.
  function words(one, other) {
    const [a, b] = [one, other].map((text) => text.match(/[\p{L}\p{N}_'’]+|\s+|[^\p{L}\p{N}_'’\s]/gu) || []);
    const shorter = Math.min(a.length, b.length);
    let [start, end] = [0, 0]; // how many they begin and end with alike
    while (start < shorter && a[start] === b[start]) start += 1;
    while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
    const [rows, columns] = [a, b].map((tokens) => tokens.slice(start, tokens.length - end));
    if (rows.length * columns.length > CELLS) return null;
    // A cell says how many words are common to what follows from its row and what follows from its column.
    const common = Array.from({ length: rows.length + 1 }, () => new Uint16Array(columns.length + 1));
    for (let row = rows.length - 1; row >= 0; row -= 1) {
      for (let column = columns.length - 1; column >= 0; column -= 1) {
        common[row][column] = rows[row] === columns[column] ? common[row + 1][column + 1] + 1
          : Math.max(common[row + 1][column], common[row][column + 1]);
      }
    }
    if (rows.length + columns.length - 2 * common[0][0] > MOST) return null;
    const shared = [new Set(), new Set()];
    let [row, column] = [0, 0];
    while (row < rows.length && column < columns.length) {
      if (rows[row] === columns[column]) {
        shared[0].add(start + row);
        shared[1].add(start + column);
        row += 1;
        column += 1;
      } else if (common[row + 1][column] >= common[row][column + 1]) row += 1;
      else column += 1;
    }
    return [a, b].map((tokens, side) => joined(tokens, (place) =>
      place < start || place >= tokens.length - end || shared[side].has(place)));
  }
  function joined(tokens, shared) {
    const found = [];
    tokens.forEach((token, place) => {
      if (found.length && found.at(-1)[1] === shared(place)) found.at(-1)[0] += token;
      else found.push([token, shared(place)]);
    });
    return found;
  }
  const drawn = (parts) => bench.el("div.prose", { dir: "auto" }, parts.map(([text, shared]) =>
    (shared || !text.trim() ? text : bench.el("mark.own", {}, text))));

  return { words, drawn };
})();
