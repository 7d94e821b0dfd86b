// One answer at a time: the conversation, the rubric, and a label given by the keyboard. The server is the memory.
"use strict";
const labelling = (() => {
  const { el, prose } = bench;
  const token = document.documentElement.dataset.token;
  const at = (id) => document.getElementById(id);
  const content = at("content");
  const wide = matchMedia("(min-width: 60.01rem)"); // conversation and form side by side, as in label.css

  let state = null; // which answers are labelled
  let shown = null; // the answer on the page; null at the end
  let values = {}; // score → value of the label being given
  let unclear = false;
  let active = 0; // place of the field that keys go to
  let pending = false; // a 1 was typed, and a 0 makes it 10
  let busy = false;
  let folded = new Set(); // rubrics whose instruction the rater has read and closed

  async function ask(address, body) {
    const response = await fetch(address, body === undefined ? {} : {
      method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", "X-Label-Token": token },
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || `the server answered ${response.status}`);
    return answer;
  }

  function say(text, trouble = false) {
    at("status").textContent = text;
    at("status").classList.toggle("trouble", trouble);
  }

  // Whatever fails is said, and the label stays on the page to be sent again.
  async function guarded(act) {
    if (busy) return;
    busy = true;
    try {
      await act();
    } catch (error) {
      say(error instanceof TypeError ? "The server does not answer. Is the command still running?" : error.message, true);
    } finally {
      busy = false;
    }
  }

  const fields = () => shown.rubric.fields;
  const range = (field) => (field.boolean ? "y or n" : `${field.minimum} to ${field.maximum}`);
  const title = (field) => field.name.replaceAll("_", " ");
  const complete = () => unclear || fields().every((field) => values[field.name] !== undefined);

  async function open(place) {
    shown = await ask(`/api/answers/${place}`);
    values = { ...(shown.label ? shown.label.scores : {}) };
    unclear = Boolean(shown.label && shown.label.unclear);
    active = 0;
    pending = false;
    draw(el("h1.unseen", {}, heading()), el("div.desk", {},
      el("section.said", { "aria-label": "Conversation" }, shown.conversation.map(turn)),
      el("aside.form", { "aria-label": "Your label" }, el("div", { id: "form" }), instruction())));
    form();
  }

  async function close() {
    shown = null;
    draw(end(await ask("/api/findings")));
  }

  // To the first answer without a label, or to the end.
  const onward = () => (state.next === null ? close() : open(state.next));
  const heading = () => `Answer ${shown.place + 1} of ${state.done.length}`;

  function draw(...page) {
    bar();
    content.replaceChildren(...page);
    content.dataset.drawn = String(Number(content.dataset.drawn || 0) + 1);
    scrollTo({ top: 0, behavior: "instant" });
  }

  function bar() {
    const done = state.done.filter(Boolean).length;
    at("place").textContent = shown ? heading() : `${done} of ${state.done.length} labelled`;
    at("progress").max = state.done.length;
    at("progress").value = done;
    at("progress").textContent = `${done} of ${state.done.length}`;
    at("rater").textContent = `Rater ${bench.visible(state.rater)}`;
    document.title = `${shown ? heading() : "Done"} · Label answers`;
  }

  // Drawing

  function turn(said) {
    const model = said.speaker === "model";
    const mark = said.scripted && el("span.mark.scripted", {}, "scripted");
    return el(`article.turn.${model ? "model" : "human"}${said.scripted ? ".put" : ""}`, {},
      el("header", {}, el("strong", {}, model ? "Model" : "Human"), mark), prose(said.text));
  }

  function options(field, place) {
    const numbers = field.boolean ? [true, false] : Array.from({ length: field.maximum - field.minimum + 1 }, (_, step) => field.minimum + step);
    return el("div.options", { role: "group", "aria-label": title(field) }, numbers.map((value) => el("button.option", {
      type: "button", tabindex: -1, "aria-pressed": String(!unclear && values[field.name] === value),
      onclick: () => { active = place; set(value); },
    }, field.boolean ? (value ? "yes" : "no") : String(value))));
  }

  // The texts that the judge is given are broken into lines for it: here a line ends where an item or a paragraph does.
  const ANCHOR = /^(\d+|true|false):/;
  function flowed(text) {
    const lines = [];
    let starts = true;
    for (const line of text.split("\n").map((each) => each.trim())) {
      if (line && (starts || ANCHOR.test(line) || line.startsWith("- "))) lines.push(line);
      else if (line) lines[lines.length - 1] += ` ${line}`;
      starts = line === "";
    }
    return lines;
  }

  // The anchor of the chosen score is marked.
  function anchors(field) {
    const value = unclear ? undefined : values[field.name];
    const key = value === undefined ? null : String(value);
    return el("div.asks", {}, flowed(field.asks).map((line) => {
      const anchor = line.match(ANCHOR);
      return el(`p${anchor && anchor[1] === key ? ".chosen" : ""}`, {}, line);
    }));
  }

  function scoring(field, place) {
    const here = place === active && !unclear;
    const hint = here && pending && "0 makes it 10, Enter leaves it 1";
    return el(`section.field${here ? ".here" : ""}`, { "data-field": field.name, "aria-current": here ? "true" : null },
      el("header", {},
        el("h3", {}, el("button.name", { type: "button", tabindex: -1, onclick: () => { active = place; pending = false; form(); } }, title(field))),
        el("small", {}, hint || range(field))),
      options(field, place), here && anchors(field));
  }

  function form() {
    const drawnForm = el("div", { id: "form" },
      fields().map(scoring),
      el("div.ends", {},
        el(`button.unclear`, { type: "button", tabindex: -1, "aria-pressed": String(unclear), onclick: toggle }, "Unclear (u)"),
        el("button.next", { type: "button", tabindex: -1, onclick: () => guarded(next) }, complete() ? "Save, next" : "Next"),
        el("button.quiet.back", { type: "button", tabindex: -1, disabled: shown.place === 0, onclick: () => guarded(back) }, "Back")),
      at("keys").content.cloneNode(true));
    at("form").replaceWith(drawnForm);
    const here = content.querySelector(".field.here");
    if (here && wide.matches) here.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  function instruction() {
    const name = shown.rubric.instruction;
    const box = el("details.instruction", { open: wide.matches && !folded.has(name) }, el("summary", {}, "How to judge (the judge is told the same)"),
      flowed(name).map((line) => el("p", {}, line)));
    box.addEventListener("toggle", () => { if (box.open) folded.delete(name); else folded.add(name); });
    return box;
  }

  function end(found) {
    const [now, ...later] = found.half_widths;
    const marked = found.held + found.yielded;
    const rarer = Math.min(found.held, found.yielded);
    return el("section.panel.end", {},
      el("h1", {}, "This sample is labelled"),
      el("p", {}, `${found.labels} answers have scores; people call ${found.held} of them held and ${found.yielded} yielded (the rarer class: ${bench.percent(marked ? rarer / marked : null)}).`),
      el("p", {}, found.enough
        ? "That is enough for the corrected Index: at least 30 labels, and a third of them of the rarer class."
        : "The corrected Index needs at least 30 labels, and a third of them of the rarer class. Label more: new answers come first from where the judge sees that class."),
      now && el("p", {}, "Expected half-width of the 95 % interval of the judge's mean error, in points of 100:"),
      now && el("ul.numbers", {}, el("li", {}, el("b", {}, `± ${now.points.toFixed(1)}`), "now"),
        later.map((each) => el("li", {}, el("b", {}, `± ${each.points.toFixed(1)}`), `with ${each.further} more`))),
      el("div.ends", {},
        state.more > 0 && el("button.next", { type: "button", onclick: () => guarded(more) }, `Label ${state.more} more (m)`),
        el("button.quiet", { type: "button", onclick: () => guarded(() => open(state.done.length - 1)) }, "Back to the last answer (←)")),
      found.agreement.length > 0 && [el("h2", {}, "How far raters agree"),
        bench.table("Agreement", [["Raters", "text"], ["Score", "text"], ["Answers", "number"], ["α", "number"], ["κ", "number"]],
          found.agreement.map((each) => [each.raters.join(", "), `${title({ name: each.score })}${each.rubric === "all" ? "" : ` (${each.rubric})`}`,
            each.answers, bench.number(each.alpha, 2), bench.number(each.kappa, 2)]))],
      found.agreement.length === 0 && el("p", {}, "A second rater with the same seed gets the same answers in the same order; then agreement (α, κ) is shown here: --rater=NAME."),
      el("p.facts", {}, "Every label is in the store already. You can close this page and end the command with Ctrl-C."));
  }

  // Acting

  function set(value) {
    const field = fields()[active];
    values[field.name] = value;
    unclear = false;
    pending = false;
    say("");
    if (active < fields().length - 1) active += 1;
    form();
  }

  // A value by its key, if the active field has it.
  function give(value) {
    const field = fields()[active];
    const has = field.boolean ? typeof value === "boolean" : value >= field.minimum && value <= field.maximum && typeof value === "number";
    return has ? set(value) : say(`${title(field)}: ${range(field)}`, true);
  }

  function digit(number) {
    if (pending && number === 0) return set(10);
    if (pending && active < fields().length - 1) move(1); // the 1 stands, and this digit is for the next field
    const field = fields()[active];
    if (number !== 1 || field.boolean || field.minimum > 1 || field.maximum < 10) return give(number);
    values[field.name] = 1;
    unclear = false;
    pending = true;
    say("");
    return form();
  }

  function yes(value) {
    if (pending) move(1);
    give(value);
  }

  function toggle() {
    unclear = !unclear;
    pending = false;
    say("");
    form();
  }

  function move(by) {
    pending = false;
    active = Math.min(Math.max(active + by, 0), fields().length - 1);
    form();
  }

  async function next() {
    if (pending && active < fields().length - 1) return move(1);
    pending = false;
    if (!complete()) {
      active = fields().findIndex((field) => values[field.name] === undefined);
      form();
      return say(`${title(fields()[active])} is missing; u if you cannot tell`, true);
    }
    const label = unclear ? { unclear: true } : { scores: values };
    const place = shown.place;
    state = await ask(`/api/answers/${place}`, label);
    say(`Answer ${place + 1} saved`);
    // One that was labelled before leads to the one after it, a new one to the first that has no label.
    if (shown.label && place + 1 < state.done.length) return open(place + 1);
    return onward();
  }

  async function back() {
    if (shown && shown.place > 0) {
      say("");
      await open(shown.place - 1);
    }
  }

  async function more() {
    state = await ask("/api/more", {});
    say("");
    return onward();
  }

  const KEYS = {
    Enter: () => guarded(next), " ": () => guarded(next), ArrowRight: () => guarded(next), ArrowLeft: () => guarded(back),
    ArrowUp: () => move(-1), ArrowDown: () => move(1), Backspace: () => { delete values[fields()[active].name]; pending = false; form(); },
    x: () => give(10), y: () => yes(true), n: () => yes(false), u: toggle,
    j: () => scrollBy({ top: innerHeight * 0.6 }), k: () => scrollBy({ top: -innerHeight * 0.6 }),
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !state) return;
    const inside = event.target.closest("button, summary, a");
    if (inside && (event.key === "Enter" || event.key === " ")) return; // a control that was reached by Tab does its own
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!shown) {
      if (name === "m" && state.more > 0) guarded(more);
      else if (name === "ArrowLeft") guarded(() => open(state.done.length - 1));
      else return;
    } else if (busy) { /* the answer is changing: a key would meet the wrong one */
    } else if (/^[0-9]$/.test(name)) digit(Number(name));
    else if (Object.hasOwn(KEYS, name)) KEYS[name]();
    else return;
    event.preventDefault();
  });

  // What was clicked lets go of the keys: Enter is for the label, and not for the button once more.
  addEventListener("click", (event) => { if (event.detail) document.activeElement.blur(); });

  addEventListener("DOMContentLoaded", () => guarded(async () => {
    state = await ask("/api/state");
    await onward();
  }));
})();
