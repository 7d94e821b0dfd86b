// Charts as SVG: as wide as their frame, readable by keyboard, saved as SVG and PNG with their source. Knows no number.
"use strict";
const plots = (() => {
  const { el, svg, visible } = bench;
  const PAPER = 1030; // as wide as a page across

  const pen = document.createElement("canvas").getContext("2d");
  function textWidth(text, size = 12, weight = 400) {
    pen.font = `${weight} ${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
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
    const found = [];
    for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-6; at += step) found.push(Number(at.toPrecision(12)));
    return found;
  }

  const path = (d) => svg("path", { d });
  // Okabe and Ito's colours, which people with any colour vision can distinguish, each with another shape.
  const SHAPES = [
    (x, y, r) => svg("circle", { cx: x, cy: y, r }),
    (x, y, r) => svg("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8 }),
    (x, y, r) => path(`M${x} ${y - r * 1.2}L${x + r * 1.15} ${y + r * 0.85}H${x - r * 1.15}Z`),
    (x, y, r) => path(`M${x} ${y - r * 1.25}L${x + r * 1.25} ${y}L${x} ${y + r * 1.25}L${x - r * 1.25} ${y}Z`),
    (x, y, r) => path(`M${x} ${y + r * 1.2}L${x + r * 1.15} ${y - r * 0.85}H${x - r * 1.15}Z`),
    (x, y, r) => path(`M${x - r * 0.4} ${y - r * 1.2}h${r * 0.8}v${r * 0.8}h${r * 0.8}v${r * 0.8}h${-r * 0.8}v${r * 0.8}h${-r * 0.8}v${-r * 0.8}h${-r * 0.8}v${-r * 0.8}h${r * 0.8}z`),
    (x, y, r) => path(`M${x} ${y - r * 1.25}L${x + r * 1.2} ${y - r * 0.3}L${x + r * 0.75} ${y + r}H${x - r * 0.75}L${x - r * 1.2} ${y - r * 0.3}Z`),
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
    if (!target) { tip.hidden = true; return; }
    tip.textContent = target.getAttribute("aria-label");
    tip.hidden = false;
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
    const over = (event) => tell(event.target.closest("[data-tip]"));
    chart.addEventListener("pointerover", over);
    chart.addEventListener("focusin", over);
    chart.addEventListener("pointerleave", () => tell(null));
    chart.addEventListener("focusout", () => tell(null));
  }

  // ---- Saving ----
  const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "stroke-opacity", "opacity", "font-size", "font-weight", "text-anchor", "paint-order", "stroke-linejoin"];
  function source() {
    const site = bench.site();
    const judges = site.judges.map((judge) => judge.label).join(", ");
    return `Independence Index, edition ${site.edition}; ${judges ? `judged by ${judges}` : "no judge"}; ${site.updated || new Date().toISOString().slice(0, 10)}${site.marks.map((mark) => `; ${mark}`).join("")}`;
  }
  // A copy that looks the same anywhere: its styles as attributes, its ground, its title and where it comes from.
  function copy(chart, title) {
    const [width, height] = ["width", "height"].map((name) => Number(chart.getAttribute(name)));
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => { const probe = el("i", {}); probe.style.color = `var(${name})`; document.body.append(probe); const found = getComputedStyle(probe).color; probe.remove(); return found; };
    const [ink, quiet, ground] = ["--ink", "--quiet", "--ground"].map(colour);
    const head = 52;
    const whole = svg("svg", { width: width + 32, height: height + head + 20, viewBox: `0 0 ${width + 32} ${height + head + 20}`, "font-family": style.fontFamily, "font-size": "12px" },
      svg("title", {}, `${title}. ${source()}`),
      svg("rect", { width: "100%", height: "100%", fill: ground }),
      svg("text", { x: 16, y: 25, fill: ink, "font-size": "16px", "font-weight": 600 }, cut(title, width, 16)),
      svg("text", { x: 16, y: 43, fill: quiet, "font-size": "11px" }, cut(source(), width, 11)));
    const drawn = chart.cloneNode(true);
    const [from, to] = [chart, drawn].map((each) => [...each.querySelectorAll("*")]);
    from.forEach((each, place) => {
      const computed = getComputedStyle(each);
      for (const name of KEPT) {
        const value = computed.getPropertyValue(name);
        if (value && value !== "normal" && !(name.endsWith("opacity") && value === "1")) to[place].setAttribute(name, value);
      }
      for (const name of ["class", "tabindex", "data-tip", "data-id", "role"]) to[place].removeAttribute(name);
      if (to[place].tagName === "a") {
        const plain = svg("g", {}, ...to[place].childNodes);
        const label = each.getAttribute("aria-label");
        if (label) plain.prepend(svg("title", {}, label));
        to[place].replaceWith(plain);
      }
    });
    whole.append(svg("g", { transform: `translate(16 ${head})` }, ...drawn.childNodes));
    return whole;
  }
  function text(chart, title) {
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy(chart, title))}\n`;
  }
  // Drawn by the browser from a data: address, twice as large; a canvas has room for 16,000 dots a side.
  async function png(chart, title) {
    const made = copy(chart, title);
    const [width, height] = ["width", "height"].map((each) => Number(made.getAttribute(each)));
    const scale = Math.min(2, 16000 / Math.max(width, height));
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(made))}`;
    await image.decode();
    const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0, width, height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => { if (blob) resolve(blob); else reject(new Error("the picture is too large")); }, "image/png");
    });
  }

  function downloads(name, title, chart) {
    const button = (kind, content) => tables.button(kind.toUpperCase(), async () =>
      tables.download(`independence-${bench.site().edition}-${name}`, kind, await content(chart(), title())), `Download ${name} as ${kind.toUpperCase()}`);
    return el("p.downloads", {}, button("svg", text), button("png", png));
  }

  // A chart in a frame. `draw(width)` returns an svg element, or null where there is nothing to draw; `title`, which
  // may be a function, states what is seen in it. On paper `sheets(width)` are several, of which each fits a page.
  let printing = false;
  function figure({ name, title, caption, draw, sheets, none = "There is nothing to draw here.", beside = null }) {
    const frame = el("div.frame", {});
    const heading = el("h2", {});
    const box = el("figure.plot", {}, heading, el("figcaption", {}, caption), beside, frame, el("p.source", {}, source()));
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
    const bar = downloads(name, titled, () => chart);
    box.append(bar);
    const watching = new ResizeObserver(() => update(false));
    watching.observe(frame);
    return box;
  }
  function redraw() {
    for (const box of document.querySelectorAll("figure.plot")) box.update();
  }

  for (const event of ["beforeprint", "afterprint"]) addEventListener(event, () => { printing = event === "beforeprint"; redraw(); });

  // A drawing with its name, as wide as it is drawn.
  function chart(kind, width, height, label, ...children) {
    const named = { role: "group", "aria-label": label };
    return svg(`svg.chart.${kind}`, { width, height, viewBox: `0 0 ${width} ${height}`, ...named }, ...children);
  }
  // A mark that leads somewhere and says what it is.
  function link(address, label, ...children) {
    return svg("a.mark", { href: address, "data-tip": "", "aria-label": visible(label) }, ...children);
  }
  function axis(ticks, at, from, to, shown = String) {
    return ticks.map((each) => [svg("line.grid", { x1: at(each), x2: at(each), y1: from, y2: to }),
      svg("text.tick", { x: at(each), y: to + 15, "text-anchor": "middle" }, shown(each))]);
  }

  return { svg, figure, redraw, chart, link, mark, axis, ticks, textWidth, cut, copy, png, text, source, downloads, SHAPES: SHAPES.length };
})();
