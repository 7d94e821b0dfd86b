// What a judge quotes: found again word for word in the turns and marked there, or struck where no turn has it.
"use strict";
const quotations = (() => {
  const { el } = bench;
  const LEAST = 2; // words: a single one in quotation marks is as often a term or a score's name
  const QUOTED = new RegExp([
    /"([^"\n]+)"/, /“([^“”„\n]+)[”“]/, /„([^“”„\n]+)[“”]/, /«([^«»\n]+)»/, /»([^«»\n]+)«/, /`([^`\n]+)`/,
    /(?<![\p{L}\p{N}_])'((?:[^'\n]|(?<=[\p{L}\p{N}_])'(?=[\p{L}\p{N}_]))+)'(?![\p{L}\p{N}_])/u,
    /(?<![\p{L}\p{N}_])‘((?:[^‘’\n]|(?<=[\p{L}\p{N}_])’(?=[\p{L}\p{N}_]))+)’(?![\p{L}\p{N}_])/u,
  ].map((each) => each.source).join("|"), "gu");
  const LEFT_OUT = /\[[^\[\]]*\]|\.\.\.|…/;
  const WORD = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu;
  const same = (word) => word.toLowerCase().replaceAll("’", "'");
  const words = (text) => (text.match(WORD) || []).map(same).join(" ");
  // Place, length and pieces of every quotation; what an ellipsis parts stands in this order, but apart.
  function of(reasoning) {
    return [...reasoning.matchAll(QUOTED)]
      .map((found) => ({ at: found.index, length: found[0].length, text: found.slice(1).find(Boolean) }))
      .filter(({ text }) => text.trim().split(/\s+/).length >= LEAST)
      .map(({ at, length, text }) => ({ at, length, pieces: text.split(LEFT_OUT).map(words).filter(Boolean) }));
  }
  function stands({ pieces }, turn) {
    const text = ` ${turn} `;
    let at = 0;
    return pieces.every((piece) => {
      const found = text.indexOf(` ${piece} `, at);
      at = found + piece.length + 1;
      return found >= 0;
    });
  }
  // How many quotations of all judges on these trials stand in a turn, and how many there are.
  function counted(trials, texts) {
    let [found, all] = [0, 0];
    for (const { said, verdicts } of trials) {
      const quoted = said ? (verdicts || []).flatMap((verdict) => of(verdict?.reasoning || "")) : [];
      if (!quoted.length) continue;
      const { start, greeting, opening = [], exchanges = [] } = said;
      const places = [start, greeting, ...opening.map(([, text]) => text), ...exchanges.map(({ asked }) => asked)];
      const turns = [...places.map((place) => texts[place]), ...exchanges.map(({ answer }) => answer)]
        .map((turn) => words(turn ?? ""));
      all += quoted.length;
      found += quoted.filter((each) => turns.some((turn) => stands(each, turn))).length;
    }
    return { found, all };
  }
  // Every word of an element with where it stands, so that a quotation may cross bold and italic letters.
  const UNSEEN = "details:not([open]) > :not(summary), header, .facts";
  function placed(root) {
    return conversation.textNodes(root).filter((node) => !node.parentElement.closest(UNSEEN)).flatMap((node) =>
      [...node.data.matchAll(WORD)].map(({ 0: word, index: from }) =>
        ({ word: same(word), node, from, to: from + word.length })));
  }
  // The words of every piece, one after the other; null where they do not stand there.
  function runs(placed, pieces) {
    const found = [];
    let from = 0;
    for (const wanted of pieces.map((piece) => piece.split(" "))) {
      const at = placed.findIndex((_, start) =>
        start >= from && wanted.every((word, step) => placed[start + step]?.word === word));
      if (at < 0) return null;
      from = at + wanted.length;
      found.push(placed.slice(at, from));
    }
    return found;
  }
  function wrap(run, count, late) {
    [...new Set(run.map((each) => each.node))].reverse().forEach((node, back) => {
      const own = run.filter((each) => each.node === node);
      const range = document.createRange();
      range.setStart(node, own[0].from);
      range.setEnd(node, own.at(-1).to);
      range.surroundContents(el(`mark.quoted${late}`, { "data-quotation": count, "data-number": back ? null : count }));
    });
  }
  // Marks what stands in the turns of `root`, the model's own first, and strikes the rest; one number each.
  function mark(root, verdicts) {
    const own = [...root.querySelectorAll(".turn[data-exchange]")];
    const turns = [...own, ...root.querySelectorAll(".turn:not([data-exchange])")];
    let count = 0;
    function drawn(said, pieces) {
      const turn = turns.find((each) => runs(placed(each), pieces));
      if (!turn) return el("s", { title: "in no turn, word for word" }, said);
      count += 1;
      const [number, late] = [count, turn === own.at(-1) ? ".late" : ""];
      for (const run of runs(placed(turn), pieces).reverse()) wrap(run, number, late);
      const onclick = () => root.querySelector(`[data-quotation="${number}"]`)?.scrollIntoView({ block: "center" });
      const attributes = { type: "button", "data-number": number, title: "Show it in the conversation", onclick };
      return el(`button.quotation${late}`, attributes, said);
    }
    for (const box of verdicts.querySelectorAll(".reasons:not(:has(button))")) {
      const [text, parts] = [box.textContent, []];
      const quoted = of(text);
      let from = 0;
      for (const { at, length, pieces } of quoted) {
        parts.push(text.slice(from, at), drawn(text.slice(at, at + length), pieces));
        from = at + length;
      }
      box.replaceChildren(...parts, text.slice(from));
      const found = quoted.length - box.querySelectorAll("s").length;
      const struck = "; what is struck stands in no turn: a paraphrase, a term or an invention";
      if (quoted.length) box.after(el("p.facts", {},
        `Quotations found word for word: ${found} of ${quoted.length}${found < quoted.length ? struck : ""}.`));
    }
  }

  return { of, stands, words, counted, mark };
})();
