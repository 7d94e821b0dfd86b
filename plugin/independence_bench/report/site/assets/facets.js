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
    const text = el("input", { type: "search", name: "text", id: "filter-text", autocomplete: "off", placeholder: "Search models", "aria-label": "Search models", value: given.get("text") || "" });
    const count = el("output", { "aria-live": "polite" });
    const drawn = FACETS.map(([key, title]) => {
      const values = [...new Set(ours.map((place) => fact(place, key)))]
        .sort((a, b) => (a === UNKNOWN) - (b === UNKNOWN) || a.localeCompare(b, "en", { sensitivity: "base" }));
      const chosen = given.getAll(key);
      if (values.length < 2) return null;
      const number = (value) => ours.filter((place) => fact(place, key) === value).length;
      return el("details.facet", { "data-facet": key }, el("summary", {}, title), el("fieldset", {}, el("legend.unseen", {}, title),
        values.map((value) => el("label", {}, el("input", { type: "checkbox", name: key, value, checked: chosen.includes(value) }),
          (SHOWN[value] || {})[key] || value, el("small", {}, ` ${number(value)}`)))));
    });
    const made = el("form.filters", { role: "search", "aria-label": "Filter the models" }, text, el("div.facets", {}, drawn, el("button.quiet", { type: "reset" }, "Reset")), count);
    function shown() {
      const asked = words(text.value);
      const data = new FormData(made);
      const picked = FACETS.map(([key]) => [key, data.getAll(key)]);
      return ours.filter((place) => asked.every((word) => said[place].some((own) => own.startsWith(word) || (word.length > 2 && own.includes(word))))
        && picked.every(([key, values]) => !values.length || values.includes(fact(place, key))));
    }
    function apply() {
      const found = shown();
      count.textContent = found.length === ours.length ? `${ours.length} ${kind}` : `${found.length} of ${ours.length} ${kind}`;
      const kept = bench.parameters(); // what another page understands stays in the address
      for (const [key] of [...FACETS, ["text"]]) kept.delete(key);
      for (const [key, value] of new FormData(made)) if (value) kept.append(key, value);
      history.replaceState(null, "", String(kept) ? `#${kept}` : location.pathname + location.search);
      change(found);
    }
    made.addEventListener("input", apply);
    made.addEventListener("submit", (event) => event.preventDefault());
    made.addEventListener("reset", (event) => {
      event.preventDefault();
      text.value = "";
      for (const box of made.querySelectorAll(":checked")) box.checked = false;
      apply();
    });
    bench.closing(made);
    return { form: made, shown, apply };
  }

  return { form, name };
})();
