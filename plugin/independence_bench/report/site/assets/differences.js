// Which words two texts do not share: all outside of a longest common subsequence, found by dynamic programming.
"use strict";
const differences = (() => {
  const CELLS = 4000000; // of the table: a thousand words of each text, with the spaces between them
  const MOST = 1200; // words that only one text has; beyond that nearly everything is marked
  // Returns [[words, shared], …] for each of the two texts; null where they differ too much, or in too long a part.
  function words(one, other) {
    const [first, second] = [one, other].map((text) => text.match(/[\p{L}\p{N}_'’]+|\s+|[^\p{L}\p{N}_'’\s]/gu) || []);
    const least = Math.min(first.length, second.length);
    let [start, end] = [0, 0]; // how many they begin and end with alike
    while (start < least && first[start] === second[start]) start += 1;
    while (end < least - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
    const [a, b] = [first, second].map((tokens) => tokens.slice(start, tokens.length - end));
    if (a.length * b.length > CELLS) return null;
    // A cell says how many words are common to what follows from its row and what follows from its column.
    const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let row = a.length - 1; row >= 0; row -= 1) {
      for (let column = b.length - 1; column >= 0; column -= 1) {
        common[row][column] = a[row] === b[column] ? common[row + 1][column + 1] + 1
          : Math.max(common[row + 1][column], common[row][column + 1]);
      }
    }
    if (a.length + b.length - 2 * common[0][0] > MOST) return null;
    const parts = [[], []];
    const alike = (tokens) => parts.forEach((own) => add(own, tokens.join(""), true));
    alike(first.slice(0, start));
    for (let [row, column] = [0, 0]; row < a.length || column < b.length;) {
      const shared = row < a.length && a[row] === b[column];
      const own = column === b.length || (row < a.length && common[row + 1][column] >= common[row][column + 1]);
      if (shared || own) add(parts[0], a[row], shared);
      if (shared || !own) add(parts[1], b[column], shared);
      row += shared || own ? 1 : 0;
      column += shared || !own ? 1 : 0;
    }
    alike(first.slice(first.length - end));
    return parts;
  }
  function add(parts, token, shared) {
    if (!token) return;
    if (parts.length && parts.at(-1)[1] === shared) parts.at(-1)[0] += token;
    else parts.push([token, shared]);
  }
  const drawn = (parts) => bench.el("div.prose", { dir: "auto" }, parts.map(([text, shared]) =>
    (shared || !text.trim() ? text : bench.el("mark.own", {}, text))));

  return { words, drawn };
})();
