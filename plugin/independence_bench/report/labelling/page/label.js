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
    const headers = { "Content-Type": "application/json", "X-Label-Token": token };
    const response = await fetch(address, body && { method: "POST", body: JSON.stringify(body), headers });
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
      const gone = error instanceof TypeError; // what fetch throws where no server listens
      say(gone ? "The server does not answer. Is the command still running?" : error.message, true);
    } finally {
      busy = false;
    }
  }
  const fields = () => shown.rubric.fields;
  const range = (field) => (field.boolean ? "y or n" : `${field.minimum} to ${field.maximum}`);
  const title = (field) => field.name.replaceAll("_", " ");
  const choices = (field) => (field.boolean ? [true, false]
    : Array.from({ length: field.maximum - field.minimum + 1 }, (_, step) => field.minimum + step));
  const complete = () => unclear || fields().every((field) => values[field.name] !== undefined);
  async function open(place) {
    shown = await ask(`/api/answers/${place}`);
    values = { ...(shown.label ? shown.label.scores : {}) };
    unclear = Boolean(shown.label && shown.label.unclear);
    draw(el("h1.unseen", {}, heading()), el("div.desk", {},
      el("section.said", { "aria-label": "Conversation" }, shown.conversation.map(turn)),
      el("aside.form", { "aria-label": "Your label" }, el("div", { id: "form" }), instruction())));
    moveTo(0);
  }
  async function close() {
    shown = null;
    draw(end(await ask("/api/findings")));
  }
  // To the first answer without a label, or to the end.
  const onward = () => (state.next === null ? close() : open(state.next));
  const last = () => open(state.done.length - 1);
  const heading = () => `Answer ${shown.place + 1} of ${state.done.length}`;
  function draw(...page) {
    const done = state.done.filter(Boolean).length;
    const all = state.done.length;
    at("place").textContent = shown ? heading() : `${done} of ${all} labelled`;
    Object.assign(at("progress"), { max: all, value: done, textContent: `${done} of ${all}` });
    at("rater").textContent = `Rater ${bench.visible(state.rater)}`;
    document.title = `${shown ? heading() : "Done"} · Label answers`;
    content.replaceChildren(...page);
    content.dataset.drawn = String(Number(content.dataset.drawn || 0) + 1);
    scrollTo({ top: 0, behavior: "instant" });
  }
  function turn({ speaker, scripted, text }) {
    const [side, name] = speaker === "model" ? ["model", "Model"] : ["human", "Human"];
    return el(`article.turn.${side}${scripted ? ".put" : ""}`, {}, el("header", {},
      el("strong", {}, name), scripted && el("span.mark.scripted", {}, "scripted")), prose(text));
  }
  // All of it can be done by keys, so Tab skips these.
  const button = (name, given, text) => el(`button.${name}`, { type: "button", tabindex: -1, ...given }, text);
  function options(field, place) {
    const option = (value) => button("option", {
      "aria-pressed": String(!unclear && values[field.name] === value),
      onclick: () => { active = place; set(value); },
    }, field.boolean ? (value ? "yes" : "no") : String(value));
    return el("div.options", { role: "group", "aria-label": title(field) }, choices(field).map(option));
  }
  // The texts that the judge is given are broken into lines for it: here a line ends where an item or a paragraph does.
  const flowed = (text) => text.split(/\n(?=\s*(?:\n|(?:\d+|true|false):|- ))/)
    .map((each) => each.trim().replace(/\s*\n\s*/g, " ")).filter(Boolean);
  // The anchor of the chosen score is marked.
  function anchors(field) {
    const chosen = `${values[field.name]}:`;
    return el("div.asks", {}, flowed(field.asks).map((line) =>
      el(line.startsWith(chosen) ? "p.chosen" : "p", {}, line)));
  }
  function scoring(field, place) {
    const here = place === active && !unclear;
    return el(`section.field${here ? ".here" : ""}`, { "data-field": field.name, "aria-current": here ? "true" : null },
      el("header", {}, el("h3", {}, button("name", { onclick: () => moveTo(place) }, title(field))),
        el("small", {}, here && pending ? "0 makes it 10, Enter leaves it 1" : range(field))),
      options(field, place), here && anchors(field));
  }
  function form() {
    at("form").replaceWith(el("div", { id: "form" }, fields().map(scoring),
      el("div.ends", {}, button("unclear", { "aria-pressed": String(unclear), onclick: toggle }, "Unclear (u)"),
        button("next", { onclick: () => guarded(next) }, complete() ? "Save, next" : "Next"),
        button("quiet.back", { disabled: shown.place === 0, onclick: () => guarded(back) }, "Back")),
      at("keys").content.cloneNode(true)));
    const here = content.querySelector(".field.here");
    if (here && wide.matches) here.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
  function instruction() {
    const text = shown.rubric.instruction;
    const box = el("details.instruction", { open: wide.matches && !folded.has(text) },
      el("summary", {}, "How to judge (the judge is told the same)"), flowed(text).map((line) => el("p", {}, line)));
    box.addEventListener("toggle", () => { if (box.open) folded.delete(text); else folded.add(text); });
    return box;
  }
  function end(found) {
    const { held, yielded, agreement } = found;
    const offer = state.more > 0 && `Label ${state.more} more (m)`;
    const rarer = held + yielded ? Math.min(held, yielded) / (held + yielded) : null;
    const widths = found.half_widths.map(({ points, further }) =>
      [`± ${points.toFixed(1)}`, further ? `with ${further} more` : "now"]);
    return el("section.panel.end", {},
      el("h1", {}, "This sample is labelled"),
      el("p", {}, `${found.labels} answers have scores; people call ${held} of them held and ${yielded} yielded `,
        `(the rarer class: ${bench.percent(rarer)}).`),
      el("p", {}, found.enough
        ? "That is enough for the corrected Index: at least 30 labels, and a third of them of the rarer class."
        : ["The corrected Index needs at least 30 labels, and a third of them of the rarer class. ",
          "Label more: new answers come first from where the judge sees that class."]),
      widths.length > 0 && [
        el("p", {}, "Expected half-width of the 95 % interval of the judge's mean error, in points of 100:"),
        bench.numbers(widths)],
      el("div.ends", {}, offer && el("button.next", { type: "button", onclick: () => guarded(more) }, offer),
        el("button.quiet", { type: "button", onclick: () => guarded(last) }, "Back to the last answer (←)")),
      agreement.length > 0 ? [el("h2", {}, "How far raters agree"),
        bench.table("Agreement",
          [["Raters", "text"], ["Score", "text"], ["Answers", "number"], ["α", "number"], ["κ", "number"]],
          agreement.map(({ raters, score, rubric, answers, alpha, kappa }) => [
            raters.join(", "), `${title({ name: score })}${rubric === "all" ? "" : ` (${rubric})`}`,
            answers, bench.number(alpha, 2), bench.number(kappa, 2)]))]
        : el("p", {}, "A second rater with the same seed gets the same answers in the same order; ",
          "then agreement (α, κ) is shown here: --rater=NAME."),
      el("p.facts", {},
        "Every label is in the store already. You can close this page and end the command with Ctrl-C."));
  }
  // Send the keys to a field and draw the form; a 1 waits there for its 0 only where it was just typed.
  function moveTo(place, waits = false) {
    pending = waits;
    active = Math.min(Math.max(place, 0), fields().length - 1);
    form();
  }
  function set(value, waits = false) {
    values[fields()[active].name] = value;
    unclear = false;
    say("");
    moveTo(waits ? active : active + 1, waits);
  }
  // A value by its key, if the active field has it.
  function give(value) {
    const field = fields()[active];
    if (choices(field).includes(value)) set(value);
    else say(`${title(field)}: ${range(field)}`, true);
  }
  // A digit, or yes or no.
  function typed(value) {
    if (pending && value === 0) return set(10);
    if (pending) moveTo(active + 1); // the 1 stands, and this is for the next field
    const { boolean, minimum, maximum } = fields()[active];
    const begins_ten = value === 1 && !boolean && minimum <= 1 && maximum >= 10;
    return begins_ten ? set(1, true) : give(value);
  }
  function toggle() {
    unclear = !unclear;
    say("");
    moveTo(active);
  }
  function clear() {
    delete values[fields()[active].name];
    moveTo(active);
  }
  async function next() {
    if (pending && active < fields().length - 1) return moveTo(active + 1);
    pending = false;
    if (!complete()) {
      moveTo(fields().findIndex((field) => values[field.name] === undefined));
      return say(`${title(fields()[active])} is missing; u if you cannot tell`, true);
    }
    const { place } = shown;
    state = await ask(`/api/answers/${place}`, unclear ? { unclear: true } : { scores: values });
    say(`Answer ${place + 1} saved`);
    // One that was labelled before leads to the one after it, a new one to the first that has no label.
    if (shown.label && place + 1 < state.done.length) return open(place + 1);
    return onward();
  }
  async function back() {
    if (shown.place === 0) return;
    say("");
    await open(shown.place - 1);
  }
  async function more() {
    state = await ask("/api/more", {});
    say("");
    return onward();
  }
  const KEYS = {
    ...Object.fromEntries([..."0123456789"].map((digit) => [digit, () => typed(Number(digit))])),
    Enter: () => guarded(next), " ": () => guarded(next), ArrowRight: () => guarded(next),
    ArrowLeft: () => guarded(back), ArrowUp: () => moveTo(active - 1), ArrowDown: () => moveTo(active + 1),
    x: () => give(10), y: () => typed(true), n: () => typed(false), u: toggle, Backspace: clear,
    j: () => scrollBy({ top: innerHeight * 0.6 }), k: () => scrollBy({ top: -innerHeight * 0.6 }),
  };
  const KEYS_AT_END = { m: () => state.more > 0 && guarded(more), ArrowLeft: () => guarded(last) };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !state) return;
    const inside = event.target.closest("button, summary, a");
    if (inside && ["Enter", " "].includes(event.key)) return; // a control that was reached by Tab does its own
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const keys = shown ? KEYS : KEYS_AT_END;
    if (!Object.hasOwn(keys, name)) return;
    if (!busy) keys[name](); // else the answer is changing: a key would meet the wrong one
    event.preventDefault();
  });
  // What was clicked lets go of the keys: Enter is for the label, and not for the button once more.
  addEventListener("click", (event) => { if (event.detail) document.activeElement.blur(); });
  addEventListener("DOMContentLoaded", () => guarded(async () => {
    state = await ask("/api/state");
    await onward();
  }));
})();
