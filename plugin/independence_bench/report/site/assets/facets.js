// Which models a page shows: the leaderboard's words and facets, read from the same address and kept in it.
"use strict";
const facets = (() => {
  const { el, called: name, words, UNKNOWN } = bench;
  const FACETS = [["vendor", "Vendor"], ["provider", "Host"], ["effort", "Effort asked"], ["open", "Weights"]];
  const SHOWN = { yes: { open: "open" }, no: { open: "closed" }, any: { provider: "any host" } };
  // Returns the form; calls `change` after every change, with the places in site.js of the models, or of the ranking
  // alone, that the form leaves.
  function form(plotted, change, ranked = false) {
    const { models } = bench.site();
    const ours = [...models.keys()]
      .filter((place) => !models[place].configuration && (!ranked || models[place].contends));
    const kind = `${ours.length === 1 ? "model" : "models"}${ranked ? " in the ranking" : ""}`;
    const fact = (place, key) => plotted[place][key] || UNKNOWN;
    const said = models.map((model) => words([name(model), model.label, model.model].join(" ")));
    const given = bench.parameters();
    const text = el("input", {
      type: "search", name: "text", id: "filter-text", autocomplete: "off", placeholder: "Search models",
      "aria-label": "Search models", value: given.get("text") || "",
    });
    const count = el("output", { "aria-live": "polite" });
    const drawn = FACETS.map(([key, title]) => {
      const facts = ours.map((place) => fact(place, key));
      const values = bench.values(facts);
      if (values.length < 2) return null;
      const choices = values.map((value) => el("label", {},
        el("input", { type: "checkbox", name: key, value, checked: given.getAll(key).includes(value) }),
        (SHOWN[value] || {})[key] || value,
        el("small", {}, ` ${facts.filter((each) => each === value).length}`)));
      return el("details.facet", { "data-facet": key }, el("summary", {}, title),
        el("fieldset", {}, el("legend.unseen", {}, title), choices));
    });
    const made = el("form.filters", { role: "search", "aria-label": "Filter the models", oninput: apply }, text,
      el("div.facets", {}, drawn, el("button.quiet", { type: "reset" }, "Reset")), count);
    function apply() {
      const asked = words(text.value);
      const data = new FormData(made);
      const passes = (place, key) => !data.has(key) || data.getAll(key).includes(fact(place, key));
      const found = ours.filter((place) =>
        bench.matches(said[place], asked) && FACETS.every(([key]) => passes(place, key)));
      count.textContent = `${found.length === ours.length ? "" : `${found.length} of `}${ours.length} ${kind}`;
      const kept = bench.parameters(); // what another page understands stays in the address
      for (const [key] of [...FACETS, ["text"]]) kept.delete(key);
      for (const [key, value] of data) if (value) kept.append(key, value);
      history.replaceState(null, "", String(kept) ? `#${kept}` : location.pathname + location.search);
      change(found);
    }
    made.addEventListener("submit", (event) => event.preventDefault());
    made.addEventListener("reset", (event) => {
      event.preventDefault();
      text.value = "";
      for (const box of made.querySelectorAll(":checked")) box.checked = false;
      apply();
    });
    bench.closing(made);
    return { form: made, apply };
  }

  return { form, name };
})();
