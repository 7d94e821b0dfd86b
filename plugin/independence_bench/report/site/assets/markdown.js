// Markdown of answers as elements: text nodes only, no active link, nothing loaded. A switch shows the raw text, and is remembered.
"use strict";
const markdown = (() => {
  const { el } = bench;
  const LONGEST = 20000; // beyond, only the raw text is shown: unclosed marks would take long to search
  const PARAGRAPH = 4000;
  const DEEPEST = 5;
  const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/s;
  const FENCE = /^\s{0,3}(```+|~~~+)/;
  const RULE = /^\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
  const HEADING = /^\s{0,3}#{1,6}\s/;
  const DASHES = /^:?-+:?$/;
  const TASK = /^\[([ xX])\]\s/;
  const TEX = /[\\^_={}+<>]/; // without any of these, brackets were only escaped
  const OPENS = /^\s{0,3}(?:\\\[|\$\$)/;
  const FORMULA = /^\s{0,3}(?:\\\[(.+?)\\\]|\$\$(.+?)\$\$)[ \t]*(?:\n|$)/s; // on lines of its own
  const INLINE = /\\\[(.+?)\\\]|\\\((.+?)\\\)|\$\$(.+?)\$\$|\\([\\`*_[\](){}#+.!~>|-])|(`+)(.+?)\5(?!`)|\*\*\*(?=\S)(.*?\S)\*\*\*|(\*\*|__)(?=\S)(.*?\S)\8|\*(?=[^\s*])(.*?[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])(.*?[^\s_])_(?!\w)|~~(?=\S)(.*?\S)~~|(!?)\[([^\]\n]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)?)(?:\s+"[^"\n]*")?\)/gs;

  function inline(text, depth = 0) {
    if (depth > DEEPEST || text.length > PARAGRAPH) return [text];
    const made = [];
    let from = 0;
    for (const found of text.matchAll(INLINE)) {
      made.push(text.slice(from, found.index));
      from = found.index + found[0].length;
      const [, display, formula, dollars, escaped, , code, both, , bold, star, under, gone, image, label, address] = found;
      const inner = (piece) => inline(piece, depth + 1);
      const math = display ?? formula ?? dollars;
      if (math !== undefined) made.push(TEX.test(math) ? el("code.math", {}, math.trim()) : [found[0].at(1), ...inner(math), found[0].at(-1)]);
      else if (escaped !== undefined) made.push(escaped);
      else if (code !== undefined) made.push(el("code", {}, code));
      else if (both !== undefined) made.push(el("strong", {}, el("em", {}, inner(both))));
      else if (bold !== undefined) made.push(el("strong", {}, inner(bold)));
      else if ((star ?? under) !== undefined) made.push(el("em", {}, inner(star ?? under)));
      else if (gone !== undefined) made.push(el("s", {}, inner(gone)));
      else made.push(image ? "image: " : "", inner(label), label === address ? "" : el("span.address", {}, ` (${address})`)); // a link stays text
    }
    made.push(text.slice(from));
    return made;
  }

  function cells(line) {
    return line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
  }

  // All lines of a list from here: what is indented below an item belongs to it.
  function list(lines, start, depth) {
    const first = ITEM.exec(lines[start]);
    const indent = first[1].length;
    const items = [];
    let at = start;
    while (at < lines.length) {
      const found = ITEM.exec(lines[at]);
      if (found && found[1].length <= indent + 1 && Boolean(found[2]) === Boolean(first[2]) && found[1].length >= indent - 1) {
        items.push([found[3]]);
      } else if (!lines[at].trim()) {
        const next = lines[at + 1] ?? "";
        if (!next.trim() || !(ITEM.test(next) || /^\s{2,}/.test(next))) break;
        items.at(-1).push("");
      } else if (/^\s/.test(lines[at]) && lines[at].search(/\S/) > indent) {
        items.at(-1).push(lines[at].slice(Math.min(indent + 2, lines[at].search(/\S/))));
      } else if (found || HEADING.test(lines[at]) || FENCE.test(lines[at]) || !items.at(-1).at(-1)) {
        break;
      } else {
        items.at(-1).push(lines[at]);
      }
      at += 1;
    }
    return [el(first[2] ? "ol" : "ul", { dir: "auto", start: first[2] && first[2] !== "1" ? first[2] : null }, items.map((item) => {
      const task = TASK.exec(item[0]);
      if (task) item[0] = item[0].replace(TASK, task[1] === " " ? "☐ " : "☑ ");
      const made = blocks(item, depth + 1);
      return el(task ? "li.task" : "li", {}, made.length === 1 && made[0].tagName === "P" ? [...made[0].childNodes] : made);
    })), at];
  }

  function blocks(lines, depth = 0) {
    const made = [];
    let at = 0;
    while (at < lines.length) {
      const line = lines[at];
      const fence = FENCE.exec(line);
      // The first line from here that is of the block no more.
      const until = (ends, from = at + 1) => { const found = lines.slice(from).findIndex(ends); return found < 0 ? lines.length : from + found; };
      const formula = OPENS.test(line) && FORMULA.exec(lines.slice(at, at + 40).join("\n"));
      if (!line.trim()) {
        at += 1;
      } else if (fence) {
        const end = until((each) => each.trim().startsWith(fence[1]));
        made.push(el("pre", { tabindex: 0 }, el("code", {}, lines.slice(at + 1, end).join("\n"))));
        at = end + 1;
      } else if (formula) {
        made.push(el("pre.math", {}, (formula[1] ?? formula[2]).trim())); // TeX as it was written, without its marks
        at += formula[0].trimEnd().split("\n").length;
      } else if (RULE.test(line)) {
        made.push(el("hr", {}));
        at += 1;
      } else if (HEADING.test(line)) {
        made.push(el("p.head", {}, inline(line.replace(HEADING, "").trim().replace(/(?<!#)#+$/, "").trim()))); // no heading: the page's own outline stays whole
        at += 1;
      } else if (/^\s{0,3}>/.test(line) && depth < DEEPEST) {
        const end = until((each) => !/^\s{0,3}>/.test(each));
        made.push(el("blockquote", {}, blocks(lines.slice(at, end).map((each) => each.replace(/^\s{0,3}>\s?/, "")), depth + 1)));
        at = end;
      } else if (ITEM.test(line) && depth < DEEPEST) {
        const [drawn, end] = list(lines, at, depth);
        made.push(drawn);
        at = end;
      } else if (line.includes("|") && cells(lines[at + 1] ?? "").every((cell) => DASHES.test(cell))) {
        const sides = cells(lines[at + 1]).map((dashes) => (!dashes.endsWith(":") ? ".text" : dashes.startsWith(":") ? ".centre" : ""));
        const row = (text, kind) => el("tr", {}, cells(text).map((cell, place) => el(kind + (sides[place] ?? ".text"), { scope: kind === "th" ? "col" : null }, inline(cell))));
        const end = until((each) => !each.includes("|"), at + 2);
        made.push(bench.scrolling("Table in the answer", el("table", { dir: "auto" }, el("thead", {}, row(line, "th")),
          el("tbody", {}, lines.slice(at + 2, end).map((each) => row(each, "td"))))));
        at = end;
      } else {
        const end = until((each) => !each.trim() || [FENCE, HEADING, RULE, OPENS, ITEM, /^\s{0,3}>/].some((begins) => begins.test(each)));
        made.push(el("p", {}, inline(lines.slice(at, end).join("\n"))));
        at = end;
      }
    }
    return made;
  }

  const texts = new WeakMap(); // what an element on the page says, to be drawn again in the other way
  let raw = bench.kept.read("raw") === "yes";

  function drawn(text, plain) {
    if (text === "") return el("p.prose.empty", {}, "The answer is empty.");
    if (plain || text.length > LONGEST) return bench.prose(text);
    return el("div.prose.md", { dir: "auto" }, blocks(bench.visible(text).split(/\r\n|\n|\r/)));
  }
  // An answer in the way that the reader has chosen.
  function answer(text) {
    const box = el("div.said", {}, drawn(text, raw));
    texts.set(box, text);
    return box;
  }
  function redraw(root, plain) {
    for (const box of root.querySelectorAll(".said")) if (texts.has(box)) box.replaceChildren(drawn(texts.get(box), plain));
  }
  function toggle() {
    raw = !raw;
    bench.kept.write("raw", raw ? "yes" : "no");
    redraw(document, raw);
    for (const button of document.querySelectorAll("button.raw")) button.setAttribute("aria-pressed", String(raw));
  }
  function button() {
    return el("button.quiet.raw", { type: "button", "aria-pressed": String(raw), onclick: toggle }, "Raw text");
  }

  return { answer, inline, toggle, button, redraw };
})();
