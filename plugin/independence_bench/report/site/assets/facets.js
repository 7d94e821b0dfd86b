// Which models a page shows: the leaderboard's words and facets, read from the same address and kept in it.
"use strict";
const facets = (() => {
  const { el } = bench;
  const FACETS = [["vendor", "Vendor"], ["provider", "Host"], ["effort", "Effort asked"], ["open", "Weights"]];
  const SHOWN = { yes: { open: "open" }, no: { open: "closed" }, any: { provider: "any host" } };
  const UNKNOWN = "unknown";
  const { called: name, words } = bench;

  // Returns the form, and the places in site.js of the models, or of the ranking alone, that it leaves; calls `change` after every change.
  function form(plotted, change, ranked = false) {
    const models = bench.site().models;
    const ours = models.map((model, place) => place).filter((place) => !models[place].configuration && (!ranked || models[place].contends));
    const kind = `${ours.length === 1 ? "model" : "models"}${ranked ? " in the ranking" : ""}`;
    const fact = (place, key) => plotted[place][key] || UNKNOWN;
    const said = models.map((model) => words([name(model), model.label, model.model].join(" ")));
    const given = bench.parameters();
    const text = el("input", { type: "search", id: "filter-text", autocomplete: "off", placeholder: "Search models", "aria-label": "Search models", value: given.get("text") || "" });
    const count = el("output", { "aria-live": "polite" });
    const boxes = new Map();
    const drawn = FACETS.map(([key, title]) => {
      const values = [...new Set(ours.map((place) => fact(place, key)))]
        .sort((a, b) => (a === UNKNOWN) - (b === UNKNOWN) || a.localeCompare(b, "en", { sensitivity: "base" }));
      const chosen = given.getAll(key);
      boxes.set(key, values.map((value) => el("input", { type: "checkbox", value, checked: chosen.includes(value) })));
      if (values.length < 2) return null;
      const number = (value) => ours.filter((place) => fact(place, key) === value).length;
      return el("details.facet", { "data-facet": key }, el("summary", {}, title), el("fieldset", {}, el("legend.unseen", {}, title),
        boxes.get(key).map((box) => el("label", {}, box, (SHOWN[box.value] || {})[key] || box.value, el("small", {}, ` ${number(box.value)}`)))));
    });
    const made = el("form.filters", { role: "search", "aria-label": "Filter the models" }, text, el("div.facets", {}, drawn, el("button.quiet", { type: "reset" }, "Reset")), count);
    function shown() {
      const asked = words(text.value);
      const picked = FACETS.map(([key]) => [key, boxes.get(key).filter((box) => box.checked).map((box) => box.value)]);
      return ours.filter((place) => asked.every((word) => said[place].some((own) => own.startsWith(word) || (word.length > 2 && own.includes(word))))
        && picked.every(([key, values]) => !values.length || values.includes(fact(place, key))));
    }
    function apply() {
      const found = shown();
      count.textContent = found.length === ours.length ? `${ours.length} ${kind}` : `${found.length} of ${ours.length} ${kind}`;
      const kept = bench.parameters(); // what another page understands stays in the address
      for (const [key] of FACETS) {
        kept.delete(key);
        for (const box of boxes.get(key)) if (box.checked) kept.append(key, box.value);
      }
      if (text.value) kept.set("text", text.value); else kept.delete("text");
      history.replaceState(null, "", String(kept) ? `#${kept}` : location.pathname + location.search);
      change(found);
    }
    made.addEventListener("input", apply);
    made.addEventListener("submit", (event) => event.preventDefault());
    made.addEventListener("reset", (event) => {
      event.preventDefault();
      text.value = "";
      for (const all of boxes.values()) for (const box of all) box.checked = false;
      apply();
    });
    bench.closing(made);
    return { form: made, shown, apply };
  }

  return { form, name };
})();
