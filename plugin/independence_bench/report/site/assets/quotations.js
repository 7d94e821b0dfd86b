// What a judge quotes: found again word for word in the turns and marked there, or struck where no turn has it.
"use strict";
const quotations = (() => {
  const { el } = bench;
  const LEAST = 2; // words of a quotation: one alone is mostly a term
  // The quotes of every keyboard; within single ones an apostrophe between letters belongs to the word.
  const QUOTED = /[“"«]([^“”"«»\n]{3,400})[”"»]|(?<![\p{L}\p{N}])['‘]((?:[^'‘’\n]|(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}])){3,400}?)['’](?![\p{L}\p{N}])/gu;
  const WORD = /[\p{L}\p{N}]+/gu;

  const words = (text) => (text.toLowerCase().match(WORD) || []).join(" ");
  const has = (turn, piece) => ` ${turn} `.includes(` ${piece} `);

  // Place, length and pieces of every quotation; what an ellipsis parts may stand apart.
  function of(reasoning) {
    return [...reasoning.matchAll(QUOTED)].map((found) => ({
      at: found.index, length: found[0].length, pieces: (found[1] ?? found[2]).split(/…|\.{3}/).map(words).filter(Boolean),
    })).filter(({ pieces }) => pieces.join(" ").split(" ").length >= LEAST);
  }
  const stands = (quotation, turn) => quotation.pieces.every((piece) => has(turn, piece));

  // How many quotations of all judges on these trials stand in a turn, and how many there are.
  function counted(trials, texts) {
    let [found, all] = [0, 0];
    for (const { said, verdicts } of trials) {
      if (!said) continue;
      const quoted = (verdicts || []).flatMap((verdict) => (verdict && verdict.reasoning ? of(verdict.reasoning) : []));
      if (!quoted.length) continue;
      const scripted = [said.greeting, said.start, ...(said.opening || []).map(([, text]) => text)].filter((text) => text !== undefined);
      const turns = [...(said.exchanges || []).flatMap((each) => [each.answer ?? "", texts[each.asked]]), ...scripted.map((text) => texts[text])].map(words);
      all += quoted.length;
      found += quoted.filter((each) => turns.some((turn) => stands(each, turn))).length;
    }
    return { found, all };
  }

  // Every word of an element with where it stands, so that a quotation may cross bold and italic letters.
  function placed(root) {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest("details:not([open]) > :not(summary), header, .facts, sup") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(WORD)) found.push({ word: word[0].toLowerCase(), node: walker.currentNode, from: word.index, to: word.index + word[0].length });
    return found;
  }
  function run(placed, piece) {
    const wanted = piece.split(" ");
    const at = placed.findIndex((_, start) => wanted.every((word, step) => placed[start + step] && placed[start + step].word === word));
    return at < 0 ? null : placed.slice(at, at + wanted.length);
  }
  function wrap(run, number, late) {
    const nodes = [...new Set(run.map((each) => each.node))].reverse();
    nodes.forEach((node, back) => {
      const own = run.filter((each) => each.node === node);
      const range = document.createRange();
      range.setStart(node, own[0].from);
      range.setEnd(node, own.at(-1).to);
      const mark = el(`mark.quoted${late ? ".late" : ""}`, { "data-quotation": number });
      range.surroundContents(mark);
      if (!back) mark.append(el("sup", { "aria-hidden": "true" }, String(number)));
    });
  }

  // Marks what stands in the turns of `conversation`, the model's own first, and strikes what does not; one number each.
  function mark(conversation, verdicts) {
    const turns = [...conversation.querySelectorAll(".turn")].sort((a, b) => b.matches("[data-exchange]") - a.matches("[data-exchange]"));
    const last = turns.filter((turn) => turn.matches("[data-exchange]")).at(-1);
    let number = 0;
    for (const box of verdicts.querySelectorAll(".reasons:not(:has(button))")) {
      const text = box.textContent;
      const parts = [];
      let [from, missing] = [0, 0];
      const quoted = of(text);
      for (const each of quoted) {
        const turn = turns.find((one) => { const there = placed(one); return each.pieces.every((piece) => run(there, piece)); });
        const said = text.slice(each.at, each.at + each.length);
        parts.push(text.slice(from, each.at));
        from = each.at + each.length;
        if (turn) {
          number += 1;
          const own = number;
          for (const piece of each.pieces) wrap(run(placed(turn), piece), own, turn === last);
          parts.push(el(`button.quotation${turn === last ? ".late" : ""}`, { type: "button", title: "Show it in the conversation", onclick: () => conversation.querySelector(`[data-quotation="${own}"]`)?.scrollIntoView({ block: "center" }) }, said, el("sup", {}, String(own))));
        } else {
          missing += 1;
          parts.push(el("s", { title: "in no turn, word for word" }, said));
        }
      }
      box.replaceChildren(...parts.filter((part) => part !== ""), text.slice(from));
      if (quoted.length) box.after(el("p.facts", {}, `Quotations found word for word: ${quoted.length - missing} of ${quoted.length}${missing ? "; what is struck stands in no turn: a paraphrase, a term or an invention" : ""}.`));
    }
  }

  return { of, counted, mark };
})();
