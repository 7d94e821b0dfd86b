// Which words two texts do not share: Myers' greedy algorithm (1986), given up where they share too little.
"use strict";
const differences = (() => {
  const MOST = 1200; // words deleted and inserted; beyond that nearly everything is marked, and time grows with its square
  const LONGEST = 8000; // words of a text

  function split(text) {
    return text.match(/[\p{L}\p{N}_'’]+|\s+|[^\p{L}\p{N}_'’\s]/gu) || [];
  }

  // Returns [[words, shared], …] for each of the two texts; null where they differ too much to say.
  function words(one, other) {
    const [a, b] = [split(one), split(other)];
    if (a.length > LONGEST || b.length > LONGEST) return null;
    const limit = Math.min(MOST, a.length + b.length);
    const reach = new Int32Array(2 * limit + 3);
    const steps = [];
    const at = limit + 1;
    for (let edits = 0; edits <= limit; edits += 1) {
      steps.push(reach.slice(at - edits - 1, at + edits + 2));
      for (let line = -edits; line <= edits; line += 2) {
        let x = line === -edits || (line !== edits && reach[at + line - 1] < reach[at + line + 1]) ? reach[at + line + 1] : reach[at + line - 1] + 1;
        let y = x - line;
        while (x < a.length && y < b.length && a[x] === b[y]) { x += 1; y += 1; }
        reach[at + line] = x;
        if (x >= a.length && y >= b.length) return traced(a, b, steps);
      }
    }
    return null;
  }

  function traced(a, b, steps) {
    const own = [new Uint8Array(a.length), new Uint8Array(b.length)];
    let [x, y] = [a.length, b.length];
    for (let edits = steps.length - 1; edits > 0; edits -= 1) {
      const reach = steps[edits];
      const line = x - y;
      const get = (k) => reach[k + edits + 1];
      const down = line === -edits || (line !== edits && get(line - 1) < get(line + 1));
      const before = down ? line + 1 : line - 1;
      const from = get(before);
      if (down) own[1][from - before] = 1;
      else own[0][from] = 1;
      x = from;
      y = from - before;
    }
    return [[a, own[0]], [b, own[1]]].map(([tokens, marked]) => joined(tokens, marked));
  }
  function joined(tokens, marked) {
    const found = [];
    tokens.forEach((token, place) => {
      const shared = !marked[place];
      if (found.length && found.at(-1)[1] === shared) found.at(-1)[0] += token;
      else found.push([token, shared]);
    });
    return found;
  }

  function drawn(parts) {
    return bench.el("div.prose", { dir: "auto" }, parts.map(([text, shared]) => shared || !text.trim() ? text : bench.el("mark.own", {}, text)));
  }

  return { words, drawn };
})();
