// Charts as SVG: as wide as their frame, readable by keyboard, saved as SVG and PNG with their source. Knows no number.
"use strict";
const plots = (() => {
  const { el, svg, visible } = bench;
  const PAPER = 1030; // as wide as a page across
  const pen = document.createElement("canvas").getContext("2d");
  function textWidth(text, size = 12) {
    pen.font = `${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
    return pen.measureText(text).width;
  }
  function cut(text, room, size = 12) {
    const shown = visible(text);
    if (textWidth(shown, size) <= room) return shown;
    const [signs] = shown.match(/(?: \S)*$/u); // of marks, at the end
    let length = Math.max(1, Math.floor(shown.length * room / textWidth(shown, size)));
    while (length > 1 && textWidth(`${shown.slice(0, length)}…${signs}`, size) > room) length -= 1;
    return `${shown.slice(0, length)}…${signs}`;
  }
  // Round numbers that cover a range, about so many.
  function ticks(low, high, about = 6) {
    const raw = (high - low || 1) / about;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw * 0.999);
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-6)];
    return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  }
  const path = (d) => svg("path", { d });
  // Okabe and Ito's colours, which people with any colour vision can distinguish, each with another shape.
  const SHAPES = [
    (x, y, r) => svg("circle", { cx: x, cy: y, r }),
    (x, y, r) => svg("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8 }),
    (x, y, r) => path(`M${x} ${y - r * 1.2}L${x + r * 1.15} ${y + r * 0.85}H${x - r * 1.15}Z`),
    (x, y, r) => path(`M${x} ${y - r * 1.25}L${x + r * 1.25} ${y}L${x} ${y + r * 1.25}L${x - r * 1.25} ${y}Z`),
    (x, y, r) => path(`M${x} ${y + r * 1.2}L${x + r * 1.15} ${y - r * 0.85}H${x - r * 1.15}Z`),
    (x, y, r) => {
      const [on, back] = [r * 0.8, -r * 0.8];
      return path(`M${x - r * 0.4} ${y - r * 1.2}h${on}v${on}h${on}v${on}h${back}v${on}`
        + `h${back}v${back}h${back}v${back}h${on}z`);
    },
    (x, y, r) => path(`M${x} ${y - r * 1.25}L${x + r * 1.2} ${y - r * 0.3}L${x + r * 0.75} ${y + r}H${x - r * 0.75}`
      + `L${x - r * 1.2} ${y - r * 0.3}Z`),
    (x, y, r) => svg("circle.hollow", { cx: x, cy: y, r: r * 0.9 }),
  ];
  function mark(place, x, y, radius) {
    const made = SHAPES[place % SHAPES.length](x, y, radius);
    made.classList.add("shape", `v${place % SHAPES.length}`);
    return made;
  }
  // ---- What a mark says, by pointer and by keyboard ----
  const tip = el("div.tip", { role: "status", hidden: true });
  document.addEventListener("DOMContentLoaded", () => document.body.append(tip));
  function tell(target) {
    tip.hidden = !target;
    if (!target) return;
    tip.textContent = target.getAttribute("aria-label");
    const box = (target.querySelector(".shape") || target).getBoundingClientRect();
    const own = tip.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - own.width / 2), innerWidth - own.width - 8);
    const above = box.top - own.height - 8;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above > 0 ? above : box.bottom + 8) + scrollY}px`;
  }
  // One stop of the tab key per chart; arrows, Home and End move within it.
  function reachable(chart) {
    const marks = [...chart.querySelectorAll("[data-tip]")];
    marks.forEach((each, place) => each.setAttribute("tabindex", place ? "-1" : "0"));
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -marks.length, End: marks.length };
    chart.addEventListener("keydown", (event) => {
      if (event.key === "Escape") tell(null);
      const at = marks.indexOf(event.target.closest("[data-tip]"));
      if (at < 0 || !(event.key in steps)) return;
      event.preventDefault();
      const next = marks[Math.min(Math.max(0, at + steps[event.key]), marks.length - 1)];
      marks[at].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
    const over = ({ target }) => tell(target.closest("[data-tip]"));
    for (const event of ["pointerover", "focusin"]) chart.addEventListener(event, over);
    for (const event of ["pointerleave", "focusout"]) chart.addEventListener(event, () => tell(null));
  }
  // ---- Saving ----
  const KEPT = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "stroke-opacity", "opacity",
    "font-size", "font-weight", "text-anchor", "paint-order", "stroke-linejoin",
  ];
  function source() {
    const { edition, judges, updated, marks } = bench.site();
    const readers = judges.length ? `judged by ${judges.map((judge) => judge.label).join(", ")}` : "no judge";
    const day = updated || new Date().toISOString().slice(0, 10);
    return [`Independence Index, edition ${edition}`, readers, day, ...marks].join("; ");
  }
  function colour(name) {
    const probe = el("i", {});
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }
  const size = (drawing) => ["width", "height"].map((name) => Number(drawing.getAttribute(name)));
  // A copy that looks the same anywhere: its styles as attributes, its ground, its title and where it comes from.
  function copy(chart, title) {
    const drawn = chart.cloneNode(true);
    const copies = [...drawn.querySelectorAll("*")];
    [...chart.querySelectorAll("*")].forEach((each, place) => {
      const made = copies[place];
      const computed = getComputedStyle(each);
      for (const name of KEPT) {
        const value = computed.getPropertyValue(name);
        if (value && value !== "normal" && !(name.endsWith("opacity") && value === "1")) made.setAttribute(name, value);
      }
      for (const name of ["class", "tabindex", "data-tip", "data-id", "role"]) made.removeAttribute(name);
      if (made.tagName !== "a") return;
      const label = each.getAttribute("aria-label");
      made.replaceWith(svg("g", {}, label && svg("title", {}, label), ...made.childNodes));
    });
    const [width, height] = size(chart);
    const [wide, tall, head] = [width + 32, height + 72, 52];
    const [ink, quiet, ground] = ["--ink", "--quiet", "--ground"].map(colour);
    const { fontFamily } = getComputedStyle(document.documentElement);
    const view = { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` };
    return svg("svg", { ...view, "font-family": fontFamily, "font-size": "12px" },
      svg("title", {}, `${title}. ${source()}`),
      svg("rect", { width: "100%", height: "100%", fill: ground }),
      svg("text", { x: 16, y: 25, fill: ink, "font-size": "16px", "font-weight": 600 }, cut(title, width, 16)),
      svg("text", { x: 16, y: 43, fill: quiet, "font-size": "11px" }, cut(source(), width, 11)),
      svg("g", { transform: `translate(16 ${head})` }, ...drawn.childNodes));
  }
  const xml = (drawing) => new XMLSerializer().serializeToString(drawing);
  // Drawn by the browser from a data: address, twice as large; a canvas has room for 16,000 dots a side.
  async function png(drawing) {
    const [width, height] = size(drawing);
    const scale = Math.min(2, 16000 / Math.max(width, height));
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(xml(drawing))}`;
    await image.decode();
    const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0, width, height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
    });
  }
  const FILES = { svg: (drawing) => `<?xml version="1.0" encoding="UTF-8"?>\n${xml(drawing)}\n`, png };
  // A chart in a frame. `draw(width)` returns an svg element, or null where there is nothing to draw; `title`, which
  // may be a function, states what is seen in it. On paper `sheets(width)` are several, of which each fits a page.
  let printing = false;
  function figure({ name, title, caption, draw, sheets, none = "There is nothing to draw here.", beside = null }) {
    const frame = el("div.frame", {});
    const heading = el("h2", {});
    const box = el("figure.plot", {}, heading, el("figcaption", {}, caption), beside, frame,
      el("p.source", {}, source()));
    const titled = () => (typeof title === "function" ? title() : title);
    box.update = () => update(true);
    let chart = null;
    let last = 0;
    function update(force) {
      const width = printing ? PAPER : Math.floor(frame.clientWidth);
      if (!width || (!force && width === last)) return;
      last = width;
      chart = draw(width);
      heading.textContent = visible(titled());
      frame.replaceChildren(...(!chart ? [el("p.note", {}, none)] : printing && sheets ? sheets(width) : [chart]));
      if (chart) reachable(chart);
      bar.hidden = !chart;
    }
    const save = async (kind) => tables.download(`independence-${bench.site().edition}-${name}`, kind,
      await FILES[kind](copy(chart, titled())));
    const bar = el("p.downloads", {}, Object.keys(FILES).map((kind) =>
      tables.button(kind.toUpperCase(), () => save(kind), `Download ${name} as ${kind.toUpperCase()}`)));
    box.append(bar);
    new ResizeObserver(() => update(false)).observe(frame);
    return box;
  }
  const redraw = () => document.querySelectorAll("figure.plot").forEach((box) => box.update());
  for (const event of ["beforeprint", "afterprint"]) {
    addEventListener(event, () => { printing = event === "beforeprint"; redraw(); });
  }
  // A drawing with its name, as wide as it is drawn.
  const chart = (kind, width, height, label, ...children) => svg(`svg.chart.${kind}`,
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label }, ...children);
  // A mark that leads somewhere and says what it is.
  const link = (href, label, ...children) =>
    svg("a.mark", { href, "data-tip": "", "aria-label": visible(label) }, ...children);
  const axis = (ticks, at, from, to, shown) => ticks.map((each) => [
    svg("line.grid", { x1: at(each), x2: at(each), y1: from, y2: to }),
    svg("text.tick", { x: at(each), y: to + 15, "text-anchor": "middle" }, shown(each))]);
  // What an axis shows and in which unit.
  const unit = (x, y, words, turned) => svg("text.axis-title", { x, y, ...turned, "text-anchor": "middle" }, words);

  return { svg, figure, redraw, chart, link, mark, axis, unit, ticks, textWidth, cut, source, SHAPES: SHAPES.length };
})();
