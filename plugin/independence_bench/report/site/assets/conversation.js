// One trial drawn: the conversation as it was sent, with its verdicts. Shared by trajectory and side by side.
"use strict";
const conversation = (() => {
  const { el, prose, visible } = bench;

  function folded(summary, text, kind) {
    const box = el("details", { "data-kind": kind }, el("summary", {}, summary));
    box.fill = () => { if (box.childNodes.length === 1) box.append(prose(text)); };
    box.addEventListener("toggle", () => { if (box.open) box.fill(); });
    return box;
  }

  const scripted = ["scripted", "scripted"];

  function turn(side, marks, ...body) {
    return el(`article.turn.${side}${marks[0] === scripted && side === "model" ? ".put" : ""}`, {}, el("header", {}, el("strong", {}, side === "model" ? "Model" : side === "system" ? "System" : "Human"),
      marks.filter(Boolean).map(([text, kind]) => el(`span.mark.${kind || "plain"}`, {}, text))), ...body);
  }

  function facts(reply) {
    const [asked, answered, thinking] = reply.tokens;
    return [
      reply.finish ? `finish reason ${reply.finish}` : "no finish reason",
      `${asked} + ${answered} tokens${thinking ? ` (${thinking} of them reasoning)` : ""}`,
      `${bench.dollars(reply.cost)} USD`,
      reply.seconds ? `${reply.seconds} s` : "",
      reply.attempts ? `${reply.attempts} requests${reply.empty ? `, ${reply.empty} came back empty` : ""}` : "",
      reply.served ? `served by ${reply.served}` : "",
      reply.relevance !== undefined ? `relevance ${reply.relevance.toFixed(2)}` : "",
    ].filter(Boolean).join(" · ");
  }

  // An import has recorded the role. Elsewhere, whether a call of the model is open decides how the human's next text is delivered.
  const delivered = (tool, open, recorded) => [(recorded ? recorded === "tool" : tool && open) ? "tool result" : "user message"];

  function turns(trial, texts) {
    const said = trial.said;
    const tool = bench.site().deliveries[trial.d].by_tool;
    const call = tool ? ["tool call"] : ["assistant message"];
    const drawn = [];
    let open = false;
    if (said.system !== undefined) drawn.push(turn("system", [["system prompt"]], folded("Show the system prompt", texts[said.system])));
    if (said.start !== undefined) drawn.push(turn("human", [scripted, ["user message"]], prose(texts[said.start])));
    if (said.greeting !== undefined) {
      drawn.push(turn("model", [scripted, call], prose(texts[said.greeting])));
      open = tool;
    }
    for (const [speaker, text] of said.opening || []) {
      const human = speaker === "human";
      drawn.push(turn(human ? "human" : "model", [scripted, human ? delivered(tool, open) : call], prose(texts[text])));
      open = tool && !human;
    }
    const start = open;
    (said.exchanges || []).forEach((each, place) => {
      const before = each.after < 0 ? start : Boolean(said.exchanges[each.after] && said.exchanges[each.after].called);
      const branched = each.after !== place - 1 ? (each.after < 0 ? "restarted after the opening" : `continues answer ${each.after + 1}`) : null;
      drawn.push(turn("human", [each.other ? ["the persona, to its interlocutor"] : scripted, delivered(tool, before, each.sent_as), each.question && each.item !== undefined && [`item ${each.item}`], branched && [branched]], prose(texts[each.asked])));
      const body = [];
      if (each.reasoning) body.push(folded(`Reasoning, ${each.reasoning.length.toLocaleString("en")} characters (never judged)`, each.reasoning, "reasoning"));
      if (each.thought) body.push(folded(`Private thought next to the call, ${each.thought.length.toLocaleString("en")} characters (never judged)`, each.thought, "thought"));
      body.push(markdown.answer(each.answer));
      if (each.arguments) body.push(folded("The tool call as it came", each.arguments));
      if (each.others_turn) body.push(folded("What it went on with in another's turn (no part of the answer)", each.others_turn));
      body.push(el("p.facts", {}, facts(each)));
      const own = turn("model", [
        each.withheld ? ["not published"] : tool ? (each.called ? ["tool call"] : ["plain content"]) : ["assistant message"],
        tool && !each.withheld && (each.written_call ? ["delivery not kept: call written as text", "bad"] : each.lost ? ["delivery not kept", "bad"] : ["delivery kept", "good"]),
        each.other && ["speaks for the interlocutor"],
        each.several_calls && ["several calls joined"],
        each.others_turn && ["went on in another's turn, left out", "bad"],
        each.salvaged && ["salvaged from a broken call", "bad"],
        each.cut && ["cut off", "bad"],
        each.refusal && ["marked as a refusal", "bad"],
        each.key_cut && ["your key cut out of it", "bad"],
        ...(each.changes || []).map((change) => [`asked with ${change}`]),
      ], ...body);
      own.dataset.exchange = place;
      drawn.push(own);
    });
    return drawn;
  }

  function outcome(trial) {
    if (trial.word) return el(`span.mark.${trial.held ? "good" : "bad"}`, {}, trial.word);
    if (trial.said && !bench.site().scenarios[trial.s].scores.length) return el("span.mark.plain", {}, "answered; no judge reads it");
    return el("span.mark.plain", {}, trial.verdicts && trial.verdicts.every(Boolean) && trial.said ? "judged, no pass mark" : "not measured");
  }

  // Byte for byte what a judge is sent: rubric and frame in pieces, the transcript as canonical JSON between them.
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const ascii = (value) => JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);
  function material(trial, texts) {
    const listed = (trial.said.opening || []).map(([speaker, text]) =>
      speaker === "model" ? { scripted: true, speaker, text: texts[text] } : { speaker, text: texts[text] });
    for (const each of trial.said.exchanges || []) {
      listed.push({ speaker: "human", text: texts[each.asked] }, { speaker: "model", text: each.answer });
    }
    return ascii(listed);
  }
  const question = (pieces, trial, texts) => pieces.before.join(trial.hash) + material(trial, texts) + pieces.after.join(trial.hash);
  function prompt(trial, texts) {
    const box = el("details.prompt", {}, el("summary", {}, "The fenced prompt that every judge is given"));
    box.addEventListener("toggle", async () => {
      if (!box.open || box.childNodes.length > 1) return;
      const waiting = el("p.waiting", {}, "Loading…");
      box.append(waiting);
      try {
        const pieces = (await bench.load("prompts"))[trial.s];
        waiting.replaceWith(...(pieces
          ? [el("h4", {}, "System"), prose(pieces.system, "pre"), el("h4", {}, "User"), prose(question(pieces, trial, texts), "pre")]
          : [el("p", {}, "This site holds no prompt for it: the verdicts were imported, or the site was written without.")]));
      } catch (error) {
        waiting.replaceWith(el("p", {}, String(error.message)));
      }
    });
    return box;
  }

  function scores(trial, verdict) {
    const fields = bench.site().scenarios[trial.s].scores;
    return el("dl.scores", {}, fields.map((field, place) => {
      const value = verdict.scores[place];
      if (value === null && field.name === "held" && bench.site().scenarios[trial.s].function) return null; // its function's own
      const share = value === null ? 0 : (value - field.minimum) / ((field.maximum - field.minimum) || 1);
      const shown = value === null ? "–" : field.boolean ? (value ? "yes" : "no") : `${bench.score(value)} of ${field.maximum}`;
      return [el("dt", {}, field.name.replaceAll("_", " "), field.good === "low" ? " (low is good)" : ""),
        el("dd", {}, shown, bench.meter(field.good === "low" ? 1 - share : share))];
    }));
  }

  function verdict(trial, found, judge) {
    const heading = el("h3", {}, el("bdi", {}, judge.label), judge.heuristic && el("small", {}, " a heuristic, no language model"));
    if (!found) return el("section.verdict", {}, heading, el("p", {}, "No verdict of this judge."));
    return el("section.verdict", { "data-judge": judge.label }, heading, scores(trial, found),
      el("h4", {}, "Its reasoning"), found.reasoning ? prose(found.reasoning, "div.reasons") : el("p", {}, trial.said && (trial.said.exchanges || []).some((each) => each.withheld) ? "Not published." : "It gave none."),
      (found.reports || []).length > 0 && el("dl.scores", {}, found.reports.map(([name, value]) => [el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, el("bdi", {}, value))])),
      el("p.facts", {}, [
        `${bench.dollars(found.cost)} USD`, found.seconds && `${found.seconds} s`, found.repaired && "asked twice: the first reply did not validate",
        found.attempts && `${found.attempts} requests`,
      ].filter(Boolean).join(" · "), found.at && [" · ", bench.when(found.at)]));
  }

  // The judges of the view, unless others judged in their place.
  const judgesOf = (trial) => (trial.judges ? trial.judges.map((label) => ({ label })) : bench.site().judges);

  // `titled`: with a heading, where there is none above.
  function verdicts(trial, texts, only = null, titled = false) {
    const judges = judgesOf(trial);
    const scenario = bench.site().scenarios[trial.s];
    const judged = !scenario.function || scenario.judged;
    const shown = judged ? judges.map((judge, place) => ({ judge, place })).filter(({ place }) => only === null || place === only) : [];
    return el("div.verdicts", { role: "group", "aria-label": "Verdicts" },
      el(titled ? "h2" : "h2.unseen", {}, scenario.scores.length ? "Verdict" : "Outcome"),
      el("p.outcome", {}, outcome(trial), scenario.passes.length ? el("small", {}, ` pass mark: ${scenario.passes.join(", ")}`) : null),
      trial.checks && el("section.verdict", {}, el("h3", {}, "Checks of its function"),
        el("p", {}, trial.checks[0] ? "Held." : "Yielded: ", trial.checks[0] ? null : el("bdi", {}, trial.checks[1]))),
      shown.map(({ judge, place }) => verdict(trial, (trial.verdicts || [])[place], judge)),
      (trial.failures || []).length > 0 && el("section", {}, el("h3", {}, "Failed attempts"),
        el("ul", {}, trial.failures.map(([at, kind, message, judge]) => el("li", {}, at ? [bench.when(at), " "] : null, `${kind}${judge ? ` (${judge})` : ""}: ${message}`)))),
      trial.said && judged && scenario.scores.length > 0 && prompt(trial, texts));
  }

  function facts_of(trial) {
    return [
      trial.kept === 0 && "delivery not kept everywhere", trial.cost !== undefined && `${bench.dollars(trial.cost)} USD`,
      ...judgesOf(trial).map((judge) => judge.temperature !== undefined && trial.verdicts && `judged by ${judge.label} at temperature ${judge.temperature}`),
      trial.origin && `imported: ${trial.origin}`, `${trial.v}, ${bench.site().deliveries[trial.d].title}`,
    ].filter(Boolean).join(" · ");
  }

  // A model's trials are in one chunk unless the kind of edition splits them.
  function chunk(model, scenario) {
    const ending = bench.kind.chunk ? bench.kind.chunk(bench.site().scenarios[scenario]) : "";
    return `answers-${model + 1}${ending}`;
  }
  const trialsOf = async (model, scenario) => bench.load(chunk(model, scenario));

  function find(trials, scenario, run, variant, delivery) {
    return trials.find((each) => each.s === scenario && (run === null || each.run === run)
      && (!variant || each.v === variant) && (!delivery || each.d === delivery));
  }

  // One line per item of an interview; the earlier conversation above, the full questions below.
  function items(trial, texts) {
    return bench.table("items", [["Item", "number"], ["In the words of the question", "text"], ["Answered", "text"], ["That is", "text"], ["Score", "number", true]],
      trial.items.map(([number, words, said, option, score]) => [
        number ?? { value: null, show: "choice" }, el("span", { dir: "auto" }, texts[words]), el("bdi", {}, said), option ?? "no option, or several",
        { value: score ?? null, show: score ?? "missing" },
      ]));
  }
  function interview(trial, texts) {
    const { exchanges } = trial.said;
    const said = { ...trial.said, exchanges: exchanges.filter((each) => !each.question) };
    const put = el("details", {}, el("summary", {}, `Every question as it was put, ${exchanges.length - said.exchanges.length}`));
    put.addEventListener("toggle", () => {
      if (!put.open || put.childNodes.length > 1) return;
      put.append(...turns(trial, texts).slice(-2 * exchanges.length).filter((_, place) => exchanges[Math.floor(place / 2)].question));
    });
    return [...turns({ ...trial, said }, texts), el("h2", {}, "Questionnaire"), items(trial, texts), put];
  }

  // Dividers separate several questions; one alone needs none.
  function divided(trial, drawn) {
    const { length } = trial.said.exchanges || [];
    if (length < 2) return drawn;
    const own = drawn.length - 2 * length;
    return drawn.flatMap((each, place) => place < own || (place - own) % 2 ? [each]
      : [el("h3.divider", {}, `Question ${(place - own) / 2 + 1} of ${length}`), each]);
  }

  function body(trial, texts) {
    if (!trial.said) return [el("p.note", {}, "Nothing was said here: this trial is not measured.")];
    if (bench.kind.conversation) return bench.kind.conversation(trial, turns(trial, texts), texts);
    return trial.items ? interview(trial, texts) : divided(trial, turns(trial, texts));
  }

  // How the conversation was held: who is scripted, and how each side reached the other.
  function protocol(trial) {
    if (!trial.said) return null;
    const { by_tool } = bench.site().deliveries[trial.d];
    const { opening = [], exchanges = [], greeting, system } = trial.said;
    const put = opening.filter(([speaker]) => speaker === "model").length + (greeting === undefined ? 0 : 1);
    const called = exchanges.filter((each) => each.called).length;
    const as = exchanges.filter((each) => each.sent_as);
    const results = as.filter((each) => each.sent_as === "tool").length;
    return el("details.protocol", {}, el("summary", {}, "How this conversation was held"), el("ul", {}, [
      exchanges.some((each) => each.other) ? "The persona's interlocutor is played by the model as well; these turns say so. All else that the human says is scripted."
        : bench.site().scenarios[trial.s].function ? "The human is a function: it says a turn when it has the answer to the last, so its turns may differ from model to model."
        : "The human is a script: its texts were written beforehand and are the same for every model.",
      put > 0 && `${put === 1 ? "One turn" : `${put} turns`} of the model ${put === 1 ? "was" : "were"} put into its mouth, too: marked as scripted, with a dashed edge. The model's own turns have a full edge.`,
      system !== undefined && "The system prompt is at the top, folded.",
      exchanges.some((each) => each.withheld) ? "Its texts are not published, so how they were delivered is not known." : by_tool ? `Delivered by tool: the human's texts reach the model as results of a tool, and the model speaks by calling it. ${called} of ${exchanges.length} answers came as such a call; the others came as plain content and are judged all the same.`
        : "Delivered as plain messages: the human's texts are user messages, and the model's answers are assistant messages.",
      as.length > 0 && `By the record, ${results} of ${as.length} of the human's texts were sent as tool results and ${as.length - results} as user messages.`,
      bench.site().judges.length > 0 && "Each judge reads the conversation alone: neither the model's name nor its reasoning, other runs or other verdicts.",
      trial.origin && `It was imported (${trial.origin}): texts, answers and verdicts are shown as they were recorded elsewhere.`,
    ].filter(Boolean).map((line) => el("li", {}, line))));
  }

  // What a search looks for, as patterns that ignore case; every one of them must match.
  function patterns(wanted, by) {
    const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
    const pieces = by === "words" ? wanted.split(/\s+/).filter(Boolean) : [wanted];
    return pieces.map((piece) => new RegExp(escaped(piece), "giu"));
  }
  // Mark what matches within the text nodes of an element, and return the marks.
  function highlight(root, wanted) {
    const made = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const any = new RegExp(wanted.map((each) => each.source).join("|"), "giu");
    for (const node of nodes) {
      const text = node.data;
      const pieces = [];
      let from = 0;
      for (const found of text.matchAll(any)) {
        if (!found[0]) continue;
        const mark = el("mark", {}, found[0]);
        made.push(mark);
        pieces.push(document.createTextNode(text.slice(from, found.index)), mark);
        from = found.index + found[0].length;
      }
      if (pieces.length) node.replaceWith(...pieces, document.createTextNode(text.slice(from)));
    }
    return made;
  }

  return { body, judgesOf, verdicts, outcome, protocol, patterns, highlight, facts: facts_of, chunk, trialsOf, find, question, folded, visible };
})();
