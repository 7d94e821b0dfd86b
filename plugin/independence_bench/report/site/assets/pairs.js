// How sure it is that one model is above another: computed for every pair when the site was written.
"use strict";
const pairs = (() => {
  const { el, modelLink, named, says } = bench;
  // p-values of two models, by their places in site.js, and whether each counts when all pairs are looked at: {run,
  // scenario, apart, elsewhere}; null where the pair was not computed.
  function of(found, one, other) {
    const [a, b] = [found.models.indexOf(one), found.models.indexOf(other)];
    if (a < 0 || b < 0 || a === b) return null;
    const [row, column] = [Math.min(a, b), Math.max(a, b) - Math.min(a, b) - 1];
    const at = (basis) => (found[basis] ? found[basis].p[row][column] : null);
    const counts = (basis) => at(basis) !== null && found[basis].apart !== null && at(basis) <= found[basis].apart;
    return { run: at("run"), scenario: at("scenario"), apart: counts("run"), elsewhere: counts("scenario") };
  }
  const every = (places) => places.flatMap((one, at) => places.slice(at + 1).map((other) => [one, other]));
  // How many of these pairs were compared, differ when their scenarios are asked again, and on other scenarios.
  function counted(found, list) {
    const known = list.map(([one, other]) => of(found, one, other)).filter((each) => each && each.run !== null);
    return [known.length, ...["apart", "elsewhere"].map((key) => known.filter((each) => each[key]).length)];
  }
  // The pair with the largest difference that counts when all pairs are looked at; null where none does.
  function largest(found, site) {
    const gap = ([one, other]) => Math.abs(site.models[one].index - site.models[other].index);
    const sure = every(found.models).filter(([one, other]) => (of(found, one, other) || {}).apart);
    return sure.length ? sure.reduce((most, pair) => (gap(pair) > gap(most) ? pair : most)) : null;
  }
  const p = (value) => (value === null ? "is unknown" : value < 0.001 ? "< 0.001" : `= ${value.toPrecision(2)}`);
  function told(found, site, one, other) {
    const known = of(found, one, other);
    if (!known) return "This pair was not compared beforehand; the command independence-bench compare does.";
    const again = "By run (these scenarios asked again)";
    const sure = known.run === null ? "By run it cannot be told: that needs two runs of each."
      : known.apart ? `${again} they differ: p ${p(known.run)}, also when all pairs of the board are looked at`
        + ` (false discovery rate ${100 * found.false_discovery_rate} %).`
        : `${again} the order may change: p ${p(known.run)}`
        + `${known.run < 0.05 ? ", which is not enough among so many pairs" : ""}.`;
    if (known.scenario === null) return sure;
    const others = known.scenario < 0.05 ? "the difference would probably remain" : "there may be no difference";
    return `${sure} With other scenarios of their kinds: p ${p(known.scenario)}, so ${others}.`;
  }
  // Who is above whom, and how sure that is: row minus column.
  function matrix(found, site, places) {
    const { models } = site;
    const name = (place) => facets.name(models[place]);
    const letter = (at) => String.fromCodePoint(65 + at); // of a row and its column: a rank may be shared
    function cell(one, other) {
      if (one === other) return el("td.none", {}, "");
      if (models[one].index === undefined || models[other].index === undefined) return el("td.none", {}, "–");
      const gap = models[one].index - models[other].index;
      const known = of(found, one, other);
      const strength = !known || known.run === null ? 0 : known.apart ? 4 : known.run < 0.05 ? 2 : 0;
      const words = `${name(one)} ${gap >= 0 ? "above" : "below"} ${name(other)}`
        + ` by ${bench.number(Math.abs(gap))} points; p ${known ? p(known.run) : "unknown"}`;
      const href = bench.address("compare", { a: models[one].id, b: models[other].id });
      return el(`td.heat-${gap > 0 ? 5 + strength : 5 - strength}`, {},
        el("a", { href, ...says(words) }, bench.signed(gap), known && known.apart && "\u00a0●"));
    }
    const heads = places.map((place, at) => el("th", { scope: "col", title: bench.visible(name(place)) },
      letter(at), places.length <= 6 && [" · ", named(models[place])]));
    const rows = places.map((one, at) => el("tr", {},
      el("th.text", { scope: "row" }, letter(at), " · ", modelLink(one)), places.map((other) => cell(one, other))));
    return el("div.mapped", { tabindex: 0, role: "group", "aria-label": "Win matrix" }, el("table.map.wins", {},
      el("thead", {}, el("tr", {}, el("th.text", { scope: "col" }, "Row minus column"), heads)),
      el("tbody", {}, rows)));
  }
  const key = () => el("p.aside", {}, "Points of the Index. ● and strong colour: they differ when all pairs are looked"
    + " at; weak colour: p below 0.05 for this pair alone; pale: the order may change when the scenarios are asked"
    + " again.");

  return { of, every, counted, largest, told, matrix, key };
})();
