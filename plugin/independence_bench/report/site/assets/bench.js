// What every page shares: chunks of data, elements, text made visible, addresses. Foreign text becomes text nodes only.
"use strict";
const bench = (() => {
  const chunks = new Map();
  const loading = new Map();
  const register = (name, value) => chunks.set(name, value);
  const forget = (name) => chunks.delete(name);
  // A classic script element is the one way to load data that browsers allow from file:// too.
  function load(name) {
    if (!loading.has(name)) {
      if (chunks.has(name)) return whole(name);
      const script = el("script", { src: `data/${name}.js` });
      const here = new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = () => reject(new Error(`data/${name}.js cannot be loaded`));
      });
      document.head.append(script);
      const read = here.finally(() => script.remove()).then(() => whole(name));
      loading.set(name, read.finally(() => loading.delete(name)));
    }
    return loading.get(name);
  }
  // Texts that all models were told are in a separate chunk, which chunks of answers name by places.
  async function whole(name) {
    if (typeof chunks.get(name) === "string") chunks.set(name, await unpacked(chunks.get(name)));
    const value = chunks.get(name);
    if (!name.startsWith("answers-") || !value || !value.texts.some(Number.isInteger)) return value;
    const shared = await load("texts");
    value.texts = value.texts.map((text) => (Number.isInteger(text) ? shared[text] : text));
    return value;
  }
  // Long chunks come packed, because the answers of a thousand models are half as large so.
  function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  }
  // Signs that would hide, or turn the direction of what follows, are spelled out; visible.py knows the same set.
  const HIDDEN = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f`
    + String.raw`\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\ud800-\udfff]`, "gu");
  function visible(text) {
    const code = (sign) => sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return String(text).replace(HIDDEN, (sign) => `[U+${code(sign)}]`);
  }
  const missing = (value) => value === null || value === undefined;
  const SVG = "http://www.w3.org/2000/svg";
  const SVG_TAGS = new Set(["svg", "rect", "line", "circle", "text", "g"]);
  // el("a.quiet", {href: "…"}, "text", otherElement): strings become text nodes. `svg` makes SVG of every tag.
  const el = maker((tag) => SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag));
  const svg = maker((tag) => document.createElementNS(SVG, tag),
    (value) => (Number.isFinite(value) ? Math.round(value * 10) / 10 : value));
  function maker(create, shown = String) {
    return (name, attributes, ...children) => {
      const [tag, ...classes] = name.split(".");
      const made = create(tag);
      if (classes.length) made.setAttribute("class", classes.join(" "));
      for (const [key, value] of Object.entries(attributes || {})) {
        if (missing(value) || value === false) continue;
        if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
        else made.setAttribute(key, value === true ? "" : shown(value));
      }
      for (const child of children.flat(Infinity)) {
        if (missing(child) || child === false || child === "") continue;
        made.append(child instanceof Node ? child : document.createTextNode(visible(child)));
      }
      return made;
    };
  }
  const FOLD = 20000; // characters shown at once: a line of 200 KB takes seconds to lay out
  function prose(text, kind = "div") {
    const shown = visible(text);
    const long = shown.length > FOLD * 1.2;
    const box = el(`${kind}.prose`, { dir: "auto" });
    box.textContent = long ? shown.slice(0, FOLD) : shown;
    if (long) {
      box.append(" … ", el("button.quiet", { type: "button", onclick: () => { box.textContent = shown; } },
        `Show all ${shown.length.toLocaleString("en")} characters`));
    }
    return box;
  }
  /** A number as the terminal writes it: exactly between two it goes to the even one, and not up as toFixed does. */
  function fixed(value, places) {
    const scaled = value * 10 ** places;
    const between = Number.isInteger(value * 2 ** (places + 1)) && Math.abs(scaled % 1) === 0.5;
    return (between ? (2 * Math.round(scaled / 2)) / 10 ** places : value).toFixed(places);
  }
  const number = (value, places = 1) => (missing(value) ? "–" : fixed(value, places));
  /** A share in per cent, as `percent` of formatting.py writes it: 100 % means all, and 0 % none. */
  function percent(share) {
    if (missing(share)) return "–";
    const shown = Number(fixed(100 * share, 0));
    return `${share === 0 || share === 1 ? shown : Math.min(Math.max(shown, 1), 99)} %`;
  }
  const score = (value) => (Number.isInteger(value) ? String(value) : number(value, 2));
  const points = (value) => number(value, value > 0 && value < 0.005 ? 4 : 2); // a small loss is no 0.00
  // A trial's outcome beside its score, by its word: what neither held nor yielded has the third sign.
  const SIGNS = { held: " ✓", yielded: " ✗" };
  const sign = (word) => (word ? SIGNS[word] || " ○" : "");
  function signs(words) {
    const others = [...new Set(words)].filter((word) => word && !SIGNS[word]);
    return `✓ held, ✗ yielded${others.length ? `, ○ ${others.join(" or ")}` : ""}`;
  }
  const interval = (ends) => (ends
    ? `${number(Math.floor(ends[0] * 10 + 1e-9) / 10)}–${number(Math.ceil(ends[1] * 10 - 1e-9) / 10)}` : "–");
  function signed(value, places = 1) {
    const shown = fixed(Math.abs(value), places);
    return `${Number(shown) === 0 ? "" : value > 0 ? "+" : "−"}${shown}`;
  }
  const dollars = (cost) => (missing(cost) ? "unknown" : cost === 0 ? "0" : cost.toFixed(cost >= 1 ? 2 : 4));
  function address(page, fields) {
    const given = Object.entries(fields).filter(([, value]) => !missing(value) && value !== "");
    return `${page}.html#${given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
  }
  const parameters = () => new URLSearchParams(location.hash.slice(1));
  const go = (page, fields) => { location.href = address(page, fields); };
  class NoSuch extends Error {}
  const site = () => chunks.get("site");
  function placeOf(what, name, keys) {
    const found = keys.map((key) => site()[`${what}s`].findIndex((each) => each[key] === name)).find((at) => at >= 0);
    if (found === undefined) throw new NoSuch(`There is no ${what} ${name ? `“${name}”` : "in this address"}.`);
    return found;
  }
  const modelAt = (name) => placeOf("model", name, ["id", "label"]); // the label is what a reader would type
  const scenarioAt = (name) => placeOf("scenario", name, ["id"]);
  const several = (model) => Boolean(site().variants || site().models[model].configuration);
  // System prompt and delivery, where one run asks a scenario more than once.
  const condition = (model, trial) => (several(model) ? ` (${trial.v}, ${site().deliveries[trial.d].title})` : "");
  function trialAddress(model, scenario, trial) {
    const asked = several(model) ? { variant: trial.v, delivery: trial.d } : {};
    const [{ id }, scene] = [site().models[model], site().scenarios[scenario]];
    return address("trajectory", { model: id, scenario: scene.id, run: trial.run, ...asked });
  }
  const modelAddress = (place, page = "model") => address(page, { m: site().models[place].id });
  const sceneAddress = (place) => address("scenario", { s: site().scenarios[place].id });
  const modelLink = (place, page) => el("a", { href: modelAddress(place, page) }, named(site().models[place]));
  const sceneLink = (place) => el("a", { href: sceneAddress(place) }, site().scenarios[place].title);
  // Where a page is: the board as the menu calls it, then what leads from there.
  function crumbs(...steps) {
    const board = document.querySelector('nav[aria-label="Pages"] a[href="index.html"]').textContent;
    return el("nav.crumbs", { "aria-label": "Breadcrumb" }, el("a", { href: "index.html" }, board),
      steps.map((step) => [" › ", step]));
  }
  // A page is a function of its address: drawn again whenever the part after # changes.
  function page(draw) {
    let turn = 0;
    const content = document.getElementById("content");
    async function update(moved) {
      const mine = ++turn;
      let drawn;
      try {
        if (!site()) throw new Error("data/site.js cannot be loaded");
        drawn = await draw(parameters(), moved);
      } catch (error) {
        const gone = error instanceof NoSuch;
        if (!gone) console.warn(error);
        drawn = el("section.panel", {}, el("h1", {}, gone ? "There is no such page" : "This page cannot be shown"),
          el("p", {}, String(error.message || error),
            gone && " The address may have been mistyped, or the page is no longer part of the site."),
          el("p", {}, el("a", { href: "index.html" }, "Back to the leaderboard")));
      }
      if (mine !== turn || drawn === null) return; // the reader has gone on
      content.replaceChildren(...[drawn].flat());
      content.dataset.drawn = String(mine);
      performance.mark("drawn"); // benchmarks/viewer_speed.py reads it
      tables.prepare(content);
      const heading = content.querySelector("h1");
      if (heading) document.title = `${heading.textContent} · ${document.title.split(" · ").at(-1)}`;
      if (moved) document.getElementById("main").focus({ preventScroll: true });
      // A page that is new begins at its top; one that the reader goes back to stays where the browser has put it.
      if (moved && !(history.state && history.state.drawn)) scrollTo({ top: 0, behavior: "instant" });
      history.replaceState({ drawn: true }, "");
      const asked = content.querySelector("[data-scroll]"); // the requested content is below
      if (asked) asked.scrollIntoView({ block: asked.dataset.scroll || "start", behavior: "instant" });
    }
    addEventListener("hashchange", () => update(true));
    update(false);
    return update;
  }
  const section = (id, title, ...children) =>
    el("section", { "aria-labelledby": id }, el("h2", { id }, title), ...children);
  // Values in a row, each above what it is; what is missing is left out.
  function numbers(pairs, ...classes) {
    return el(["ul.numbers", ...classes].join("."), {},
      pairs.filter(Boolean).map(([value, what]) => el("li", {}, el("b", {}, value), ` ${what}`)));
  }
  // A choice by [value, text]; the first is chosen unless another is.
  function select(id, pairs, chosen) {
    return el("select", { id }, pairs.map(([value, text]) =>
      el("option", { value, selected: String(value) === String(chosen ?? "") || null }, text)));
  }
  // Closed at first, and filled when it is opened for the first time.
  function fold(summary, fill, attributes) {
    const box = el("details", attributes, el("summary", {}, summary));
    box.fill = () => { if (box.childNodes.length === 1) box.append(...[fill()].flat()); };
    box.addEventListener("toggle", () => { if (box.open) box.fill(); });
    return box;
  }
  // The same words for the pointer and for a screen reader.
  const says = (words) => ({ title: visible(words), "aria-label": visible(words) });
  // Of what is known; null where nothing is.
  function mean(values) {
    const known = values.filter((value) => !missing(value));
    return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
  }
  const scrolling = (label, child) => el("div.scroll", { tabindex: 0, role: "group", "aria-label": label }, child);
  // A table of rows; a cell is text, an element, or {value, show, cls} where it sorts by another value than is shown.
  function table(name, heads, rows) {
    const head = el("tr", {}, heads.map(([text, type, down]) => el("th", {
      scope: "col", class: type === "text" ? "text" : null,
      "data-type": type === "text" ? null : "number", "data-down": down || null,
    }, text)));
    const body = rows.map((cells) => el("tr", {}, cells.map((cell, place) => {
      const plain = cell === null || typeof cell !== "object" || cell instanceof Node || Array.isArray(cell);
      const { value, show, cls } = plain ? { show: cell } : cell;
      const kind = heads[place][1] === "text" ? "text" : place === 0 ? "number" : "";
      return el(place === 0 ? "th" : "td", {
        class: `${kind} ${cls || ""}`.trim() || null, "data-value": value === null ? "" : value,
        scope: place === 0 ? "row" : null,
      }, show ?? "–");
    })));
    const parts = [el("thead", {}, head), el("tbody", {}, body)];
    return scrolling(name, el("table.sortable", { "data-download": name }, parts));
  }
  // Buttons that turn pages by one; `set` says which one is shown.
  function pager(turn) {
    const back = el("button", { type: "button", onclick: () => turn(-1) }, "← Previous");
    const on = el("button", { type: "button", onclick: () => turn(1) }, "Next →");
    const place = el("span", {});
    const bar = el("p.pager", { hidden: true }, back, place, on);
    function set(page, last) {
      [bar.hidden, back.disabled, on.disabled] = [last === 0, page === 0, page >= last];
      place.textContent = ` page ${page + 1} of ${last + 1} `;
    }
    return { bar, set };
  }
  function meter(share) {
    const kept = el("rect", { width: (Math.max(0, Math.min(1, share)) * 50).toFixed(1), height: 4 });
    return el("svg.bar", { viewBox: "0 0 50 4", "aria-hidden": "true" }, kept);
  }
  // Eleven steps from worst to best, orange to blue for every eye; the number is always shown with the colour.
  const shade = (share) => (missing(share) ? "none" : `heat-${Math.round(10 * Math.max(0, Math.min(1, share)))}`);
  // A time as the reader's own clock shows it, in UTC on hover.
  function when(at) {
    return el("time", { datetime: at, title: `${at.replace("T", " ").replace("Z", "")} UTC` },
      new Date(at).toLocaleString("en", { year: "numeric", month: "short", day: "numeric", hour: "2-digit",
        minute: "2-digit", hourCycle: "h23", timeZoneName: "short" }));
  }
  // What the reader has chosen, for the next page.
  const kept = {
    read: (name) => theme.read(`independence-bench-${name}`),
    write: (name, value) => theme.write(value, `independence-bench-${name}`),
  };
  // The label of a model with the signs of its marks.
  const called = (model) => (model.signs ? `${model.label} ${model.signs}` : model.label);
  const named = (model) => el("bdi", {}, called(model));
  // What each scenario could have given to a model's Index and did not, the costliest first, with its costliest run.
  function losses(model) {
    return model.cells.filter((cell) => cell.points).map((cell) => {
      const [gave, worth, runs] = cell.points;
      const least = Math.min(...runs.filter((points) => points !== null)); // a run may be missing
      const run = model.runs[runs.indexOf(least)];
      const lost = Number((worth - gave).toFixed(4)); // 4 digits travel
      return { cell, gave, worth, lost, run: run ? run[0] : 1, least };
    }).sort((a, b) => b.lost - a.lost);
  }
  // “claude-opus-4-6”, “Claude Opus 4.6” and “claude opus 4.6” are the same words.
  const words = (text) =>
    text.toLowerCase().replace(/(\d)[-_](?=\d{1,2}(?!\d))/g, "$1.").split(/[^\p{L}\p{N}.]+/u).filter(Boolean);
  // Whether each asked word begins one of a model's own or, from three signs on, is in one.
  const matches = (own, asked) =>
    asked.every((word) => own.some((each) => each.startsWith(word) || (word.length > 2 && each.includes(word))));
  // The values of a facet: each once, in the order of the alphabet, what is unknown last.
  const UNKNOWN = "unknown";
  const values = (facts) => [...new Set(facts)]
    .sort((a, b) => (a === UNKNOWN) - (b === UNKNOWN) || a.localeCompare(b, "en", { sensitivity: "base" }));
  // A list of choices closes with Escape, and when the reader goes on elsewhere.
  function closing(form) {
    addEventListener("keydown", (event) => {
      const list = event.key === "Escape" && form.querySelector("details[open]");
      if (!list) return;
      list.open = false;
      list.querySelector("summary").focus();
    });
    addEventListener("click", (event) => {
      for (const list of form.querySelectorAll("details[open]")) if (!list.contains(event.target)) list.open = false;
    });
  }
  // A model to be typed or chosen from a list of distinct names; `chosenModel` reads it back, null for none.
  function distinct(model) {
    const shared = site().models.some((other) => other !== model && called(other) === called(model));
    return [called(model), model.configuration, shared && model.label].filter(Boolean).join(" · ");
  }
  function chooser(id, chosen, placeholder = "choose a model") {
    const names = site().models.map((model) => visible(distinct(model)));
    const list = `${id}-models`;
    const value = chosen === null ? "" : names[chosen];
    return [el("input", { id, name: id.replace("choose-", ""), list, autocomplete: "off", placeholder, value }),
      el("datalist", { id: list }, names.map((name) => el("option", { value: name })))];
  }
  function chosenModel(text) {
    if (!text.trim()) return null;
    const models = site().models;
    const at = models.findIndex((model) => visible(distinct(model)) === text);
    if (at >= 0) return at;
    const asked = words(text);
    return models.findIndex((model) => {
      const own = words(`${distinct(model)} ${model.label}`);
      return model.id === text || model.label === text
        || asked.every((word) => own.some((each) => each.startsWith(word)));
    });
  }
  // Links to the other scenarios, by experiment.
  function scenarioList(at, to) {
    const { scenarios } = site();
    const entry = ({ title }, place) =>
      el("li", {}, el("a", { href: to(place), "aria-current": place === at ? "page" : null }, title));
    const experiments = [...new Set(scenarios.map((each) => each.experiment))];
    return el("nav.scenario-list", { "aria-label": "Scenarios" }, experiments.map((experiment) => [
      el("p", {}, experiment),
      el("ul", {}, scenarios.map((each, place) => each.experiment === experiment && entry(each, place))),
    ]));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => {
      button.textContent = theme.dark ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${theme.dark ? "light" : "dark"} colours`);
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = theme.dark ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      theme.write(next);
      name();
    });
    name();
    // What sticks below the header must know how high its lines are that stay: they wrap where there is little room.
    const top = document.querySelector(".top");
    if (!top) return;
    new ResizeObserver(() => {
      const above = Number.parseFloat(getComputedStyle(top).top) || 0;
      document.documentElement.style.setProperty("--bar", `${top.offsetHeight + above}px`);
    }).observe(top);
    closing(top);
  });

  return {
    register, load, forget, visible, el, svg, prose, number, percent, score, points, sign, signs, interval, signed,
    dollars, address, parameters, go, NoSuch, site, modelAt, scenarioAt, trialAddress, condition, modelAddress,
    sceneAddress, modelLink, sceneLink, section, numbers, select, fold, says, mean, crumbs, page, scrolling,
    table, pager, meter, shade, when, kept, called, named, words, matches, values, UNKNOWN, closing, chooser,
    chosenModel, losses, scenarioList,
    kind: {}, // what a kind of edition does in its own way: its script, which comes before the page's, fills this in
  };
})();
