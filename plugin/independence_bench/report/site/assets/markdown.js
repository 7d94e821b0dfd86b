// Markdown of answers as elements: text nodes only, no active link, nothing loaded. A remembered switch shows raw text.
"use strict";
const markdown = (() => {
  const { el } = bench;
  const LONGEST = 20000; // beyond, only the raw text is shown: unclosed marks would take long to search
  const [PARAGRAPH, DEEPEST] = [4000, 5]; // what is longer or deeper stays as it was written
  const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/s;
  const FENCE = /^\s{0,3}(```+|~~~+)/;
  const RULE = /^\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
  const QUOTE = /^\s{0,3}>\s?/;
  const HEADING = /^\s{0,3}#{1,6}\s/;
  const DASHES = /^:?-+:?$/;
  const TASK = /^\[([ xX])\]\s/;
  const TEX = /[\\^_={}+<>]/; // without any of these, brackets were only escaped
  const OPENS = /^\s{0,3}(?:\\\[|\$\$)/;
  const FORMULA = /^\s{0,3}(?:\\\[(.+?)\\\]|\$\$(.+?)\$\$)[ \t]*(?:\n|$)/s; // on lines of its own
  const INLINE = new RegExp([
    /\\\[(.+?)\\\]|\\\((.+?)\\\)|\$\$(.+?)\$\$/, // 1–3: TeX
    /\\([\\`*_[\](){}#+.!~>|-])/, // 4: an escaped sign
    /(`+)(.+?)\5(?!`)/, // 6: code
    /\*\*\*(?=\S)(.*?\S)\*\*\*/, // 7: bold and italic
    /(\*\*|__)(?=\S)(.*?\S)\8/, // 9: bold
    /\*(?=[^\s*])(.*?[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])(.*?[^\s_])_(?!\w)/, // 10, 11: italic
    /~~(?=\S)(.*?\S)~~/, // 12: struck
    /(!?)\[([^\]\n]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)?)(?:\s+"[^"\n]*")?\)/, // 13–15: a link, which stays text
  ].map((each) => each.source).join("|"), "gs");
  function inline(text, depth = 0) {
    if (depth > DEEPEST || text.length > PARAGRAPH) return [text];
    const made = [];
    let from = 0;
    for (const found of text.matchAll(INLINE)) {
      made.push(text.slice(from, found.index));
      from = found.index + found[0].length;
      const [all, display, formula, dollars, sign, , code, both, , bold, star, under, gone, image, label, to] = found;
      const inner = (piece) => inline(piece, depth + 1);
      const math = display ?? formula ?? dollars;
      if (math !== undefined && !TEX.test(math)) made.push(all.at(1), ...inner(math), all.at(-1));
      else if (math !== undefined) made.push(el("code.math", {}, math.trim()));
      else if (sign !== undefined) made.push(sign);
      else if (code !== undefined) made.push(el("code", {}, code));
      else if (both !== undefined) made.push(el("strong", {}, el("em", {}, inner(both))));
      else if (bold !== undefined) made.push(el("strong", {}, inner(bold)));
      else if ((star ?? under) !== undefined) made.push(el("em", {}, inner(star ?? under)));
      else if (gone !== undefined) made.push(el("s", {}, inner(gone)));
      else made.push(image && "image: ", inner(label), label !== to && el("span.address", {}, ` (${to})`));
    }
    made.push(text.slice(from));
    return made;
  }
  const cells = (line) =>
    line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
  // Draws the list that starts here, and returns where it ends: what is indented below an item belongs to it.
  function list(lines, start, depth, made) {
    const [, { length: indent }, number] = ITEM.exec(lines[start]);
    const items = [];
    let at = start;
    for (; at < lines.length; at += 1) {
      const line = lines[at];
      const found = ITEM.exec(line);
      const inset = line.search(/\S/);
      if (found && Math.abs(inset - indent) <= 1 && Boolean(found[2]) === Boolean(number)) items.push([found[3]]);
      else if (inset < 0) {
        const next = lines[at + 1] ?? "";
        if (!ITEM.test(next) && !/^\s{2,}\S/.test(next)) break;
        items.at(-1).push("");
      } else if (inset > indent) items.at(-1).push(line.slice(Math.min(indent + 2, inset)));
      else if (found || HEADING.test(line) || FENCE.test(line) || !items.at(-1).at(-1)) break;
      else items.at(-1).push(line);
    }
    const drawn = items.map(([first, ...more]) => {
      const text = first.replace(TASK, (_, sign) => (sign === " " ? "☐ " : "☑ "));
      const inside = blocks([text, ...more], depth + 1);
      const alone = inside.length === 1 && inside[0].tagName === "P";
      return el(text === first ? "li" : "li.task", {}, alone ? [...inside[0].childNodes] : inside);
    });
    made.push(el(number ? "ol" : "ul", { dir: "auto", start: number === "1" ? null : number }, drawn));
    return at;
  }
  function table([head, dashes, ...rows]) {
    const sides = cells(dashes).map((each) => (!each.endsWith(":") ? ".text" : each.startsWith(":") ? ".centre" : ""));
    const row = (line, kind) => el("tr", {}, cells(line).map((cell, place) =>
      el(kind + (sides[place] ?? ".text"), { scope: kind === "th" && "col" }, inline(cell))));
    return bench.scrolling("Table in the answer", el("table", { dir: "auto" },
      el("thead", {}, row(head, "th")), el("tbody", {}, rows.map((line) => row(line, "td")))));
  }
  function blocks(lines, depth = 0) {
    const made = [];
    let [at, end] = [0, 0];
    // The first line that is of the block no more.
    const until = (ends, from = at + 1) => {
      const more = lines.slice(from).findIndex(ends);
      return more < 0 ? lines.length : from + more;
    };
    for (; at < lines.length; at = end) {
      const line = lines[at];
      const fence = FENCE.exec(line);
      const formula = OPENS.test(line) && FORMULA.exec(lines.slice(at, at + 40).join("\n"));
      end = at + 1;
      if (fence) {
        end = until((each) => each.trim().startsWith(fence[1])) + 1;
        made.push(el("pre", { tabindex: 0 }, el("code", {}, lines.slice(at + 1, end - 1).join("\n"))));
      } else if (formula) {
        made.push(el("pre.math", {}, (formula[1] ?? formula[2]).trim())); // TeX as it was written, without its marks
        end = at + formula[0].trimEnd().split("\n").length;
      } else if (RULE.test(line)) made.push(el("hr", {}));
      else if (HEADING.test(line)) { // no heading: the page's own outline stays whole
        made.push(el("p.head", {}, inline(line.replace(HEADING, "").trim().replace(/(?<!#)#+$/, "").trim())));
      } else if (QUOTE.test(line) && depth < DEEPEST) {
        end = until((each) => !QUOTE.test(each));
        made.push(el("blockquote", {}, blocks(lines.slice(at, end).map((each) => each.replace(QUOTE, "")), depth + 1)));
      } else if (ITEM.test(line) && depth < DEEPEST) end = list(lines, at, depth, made);
      else if (line.includes("|") && cells(lines[at + 1] ?? "").every((cell) => DASHES.test(cell))) {
        end = until((each) => !each.includes("|"), at + 2);
        made.push(table(lines.slice(at, end)));
      } else if (line.trim()) {
        const begins = [FENCE, HEADING, RULE, OPENS, ITEM, QUOTE];
        end = until((each) => !each.trim() || begins.some((begin) => begin.test(each)));
        made.push(el("p", {}, inline(lines.slice(at, end).join("\n"))));
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
    const boxes = [...root.querySelectorAll(".said")].filter((box) => texts.has(box));
    for (const box of boxes) box.replaceChildren(drawn(texts.get(box), plain));
  }
  function toggle() {
    raw = !raw;
    bench.kept.write("raw", raw ? "yes" : "no");
    redraw(document, raw);
    for (const button of document.querySelectorAll("button.raw")) button.setAttribute("aria-pressed", String(raw));
  }
  const button = () =>
    el("button.quiet.raw", { type: "button", "aria-pressed": String(raw), onclick: toggle }, "Raw text");

  return { answer, inline, toggle, button, redraw };
})();
