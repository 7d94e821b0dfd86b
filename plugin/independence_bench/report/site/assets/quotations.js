// What a judge quotes: found again word for word in the turns and marked there, or struck where no turn has it.
"use strict";
const quotations = (() => {
  const { el } = bench;
  // In quotation marks of any usual style; a single word in them is as often a term or a score's name.
  const LEAST = 2;
  const QUOTED = /"([^"\n]+)"|“([^“”„\n]+)[”“]|„([^“”„\n]+)[“”]|«([^«»\n]+)»|»([^«»\n]+)«|`([^`\n]+)`|(?<![\p{L}\p{N}_])'((?:[^'\n]|(?<=[\p{L}\p{N}_])'(?=[\p{L}\p{N}_]))+)'(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])‘((?:[^‘’\n]|(?<=[\p{L}\p{N}_])’(?=[\p{L}\p{N}_]))+)’(?![\p{L}\p{N}_])/gu;
  const LEFT_OUT = /\[[^\[\]]*\]|\.\.\.|…/;
  const WORD = /[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*/gu;
  const same = (word) => word.toLowerCase().replaceAll("’", "'");
  const words = (text) => (text.match(WORD) || []).map(same).join(" ");

  // Place, length and pieces of every quotation; what an ellipsis parts stands in this order, but apart.
  function of(reasoning) {
    return [...reasoning.matchAll(QUOTED)].map((found) => [found, found.slice(1).find(Boolean)])
      .filter(([, text]) => text.trim().split(/\s+/).length >= LEAST)
      .map(([found, text]) => ({ at: found.index, length: found[0].length, pieces: text.split(LEFT_OUT).map(words).filter(Boolean) }));
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
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest("details:not([open]) > :not(summary), header, .facts") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    while (walker.nextNode()) for (const word of walker.currentNode.data.matchAll(WORD)) found.push({ word: same(word[0]), node: walker.currentNode, from: word.index, to: word.index + word[0].length });
    return found;
  }
  // The words of every piece, one after the other; null where they do not stand there.
  function runs(placed, pieces) {
    const found = [];
    let from = 0;
    for (const wanted of pieces.map((piece) => piece.split(" "))) {
      const at = placed.findIndex((_, start) => start >= from && wanted.every((word, step) => placed[start + step] && placed[start + step].word === word));
      if (at < 0) return null;
      found.push(placed.slice(at, from = at + wanted.length));
    }
    return found;
  }
  function wrap(run, number, late) {
    const nodes = [...new Set(run.map((each) => each.node))].reverse();
    nodes.forEach((node, back) => {
      const own = run.filter((each) => each.node === node);
      const range = document.createRange();
      range.setStart(node, own[0].from);
      range.setEnd(node, own.at(-1).to);
      range.surroundContents(el(`mark.quoted${late ? ".late" : ""}`, { "data-quotation": number, "data-number": back ? null : number }));
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
        const turn = turns.find((one) => runs(placed(one), each.pieces));
        const said = text.slice(each.at, each.at + each.length);
        parts.push(text.slice(from, each.at));
        from = each.at + each.length;
        if (turn) {
          number += 1;
          const own = number;
          for (const run of runs(placed(turn), each.pieces).reverse()) wrap(run, own, turn === last);
          parts.push(el(`button.quotation${turn === last ? ".late" : ""}`, { type: "button", "data-number": own, title: "Show it in the conversation", onclick: () => conversation.querySelector(`[data-quotation="${own}"]`)?.scrollIntoView({ block: "center" }) }, said));
        } else {
          missing += 1;
          parts.push(el("s", { title: "in no turn, word for word" }, said));
        }
      }
      box.replaceChildren(...parts.filter((part) => part !== ""), text.slice(from));
      if (quoted.length) box.after(el("p.facts", {}, `Quotations found word for word: ${quoted.length - missing} of ${quoted.length}${missing ? "; what is struck stands in no turn: a paraphrase, a term or an invention" : ""}.`));
    }
  }

  return { of, stands, words, counted, mark };
})();
