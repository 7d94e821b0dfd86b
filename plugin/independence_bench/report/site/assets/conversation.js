// One trial drawn: the conversation as it was sent, with its verdicts. Shared by trajectory and side by side.
"use strict";
const conversation = (() => {
  const { el, prose } = bench;
  const site = bench.site();
  const scripted = ["scripted", "scripted"];
  const folded = (summary, text, kind) => bench.fold(summary, () => prose(text), { "data-kind": kind });
  const dotted = (facts) => facts.filter(Boolean).join(" · ");
  const SPEAKERS = { human: "Human", model: "Model", system: "System" };
  function turn(speaker, marks, ...body) {
    const put = marks[0] === scripted && speaker === "model" ? ".put" : "";
    return el(`article.turn.${speaker}${put}`, {}, el("header", {}, el("strong", {}, SPEAKERS[speaker]),
      marks.filter(Boolean).map(([text, kind]) => el(`span.mark.${kind || "plain"}`, {}, text))), ...body);
  }
  function factsOfReply(reply) {
    const [asked, answered, thinking] = reply.tokens;
    return dotted([
      reply.finish ? `finish reason ${reply.finish}` : "no finish reason",
      `${asked} + ${answered} tokens${thinking ? ` (${thinking} of them reasoning)` : ""}`,
      `${bench.dollars(reply.cost)} USD`, reply.seconds && `${reply.seconds} s`,
      reply.attempts && `${reply.attempts} requests${reply.empty ? `, ${reply.empty} came back empty` : ""}`,
      reply.served && `served by ${reply.served}`,
      reply.relevance !== undefined && `relevance ${reply.relevance.toFixed(2)}`,
    ]);
  }
  // An import has recorded the role. Elsewhere, whether a call of the model is open decides how the human's text comes.
  const delivered = (tool, open, recorded) =>
    [(recorded ? recorded === "tool" : tool && open) ? "tool result" : "user message"];
  function answered(each, tool) {
    const unjudged = (what, text, kind) =>
      text && folded(`${what}, ${text.length.toLocaleString("en")} characters (never judged)`, text, kind);
    return turn("model", [
      each.withheld ? ["not published"] : !tool ? ["assistant message"] : [each.called ? "tool call" : "plain content"],
      tool && !each.withheld && (each.written_call ? ["delivery not kept: call written as text", "bad"]
        : each.lost ? ["delivery not kept", "bad"] : ["delivery kept", "good"]),
      each.other && ["speaks for the interlocutor"], each.several_calls && ["several calls joined"],
      each.others_turn && ["went on in another's turn, left out", "bad"],
      each.salvaged && ["salvaged from a broken call", "bad"], each.cut && ["cut off", "bad"],
      each.refusal && ["marked as a refusal", "bad"], each.key_cut && ["your key cut out of it", "bad"],
      ...(each.changes || []).map((change) => [`asked with ${change}`]),
    ], unjudged("Reasoning", each.reasoning, "reasoning"),
    unjudged("Private thought next to the call", each.thought, "thought"), markdown.answer(each.answer),
    each.arguments && folded("The tool call as it came", each.arguments),
    each.others_turn && folded("What it went on with in another's turn (no part of the answer)", each.others_turn),
    el("p.facts", {}, factsOfReply(each)));
  }
  function turns({ said: { system, start, greeting, opening = [], exchanges = [] }, d }, texts) {
    const tool = site.deliveries[d].by_tool;
    const call = [tool ? "tool call" : "assistant message"];
    const drawn = [
      system !== undefined && turn("system", [["system prompt"]], folded("Show the system prompt", texts[system])),
      start !== undefined && turn("human", [scripted, ["user message"]], prose(texts[start])),
      greeting !== undefined && turn("model", [scripted, call], prose(texts[greeting])),
    ].filter(Boolean);
    let open = greeting !== undefined;
    for (const [speaker, text] of opening) {
      drawn.push(turn(speaker, [scripted, speaker === "human" ? delivered(tool, open) : call], prose(texts[text])));
      open = speaker === "model";
    }
    exchanges.forEach((each, place) => {
      const before = each.after < 0 ? open : exchanges[each.after]?.called;
      const branch = each.after < 0 ? "restarted after the opening" : `continues answer ${each.after + 1}`;
      drawn.push(turn("human", [
        each.other ? ["the persona, to its interlocutor"] : scripted, delivered(tool, before, each.sent_as),
        each.question && each.item !== undefined && [`item ${each.item}`], each.after !== place - 1 && [branch],
      ], prose(texts[each.asked])));
      const own = answered(each, tool);
      own.dataset.exchange = place;
      drawn.push(own);
    });
    return drawn;
  }
  function outcome(trial) {
    if (trial.word) return el(`span.mark.${trial.held ? "good" : "bad"}`, {}, trial.word);
    const words = !trial.said ? "not measured" : !site.scenarios[trial.s].scores.length ? "answered; no judge reads it"
      : trial.verdicts?.every(Boolean) ? "judged, no pass mark" : "not measured";
    return el("span.mark.plain", {}, words);
  }
  // Byte for byte what a judge is sent: rubric and frame in pieces, the transcript as canonical JSON between them.
  const escaped = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  function question({ before, after }, { hash, said: { opening = [], exchanges = [] } }, texts) {
    const material = opening.map(([speaker, text]) =>
      ({ scripted: speaker === "model" || undefined, speaker, text: texts[text] })); // what is undefined is no JSON
    material.push(...exchanges.flatMap(({ asked, answer }) =>
      [{ speaker: "human", text: texts[asked] }, { speaker: "model", text: answer }]));
    return before.join(hash) + JSON.stringify(material).replace(/[\u007f-\uffff]/g, escaped) + after.join(hash);
  }
  function prompt(trial, texts) {
    const none = "This site holds no prompt for it: the verdicts were imported, or the site was written without.";
    const drawn = (pieces) => (!pieces ? [el("p", {}, none)] : [el("h4", {}, "System"), prose(pieces.system, "pre"),
      el("h4", {}, "User"), prose(question(pieces, trial, texts), "pre")]);
    return bench.fold("The fenced prompt that every judge is given", () => {
      const waiting = el("p.waiting", {}, "Loading…");
      bench.load("prompts").then((prompts) => drawn(prompts[trial.s]))
        .catch((error) => [el("p", {}, String(error.message))]).then((shown) => waiting.replaceWith(...shown));
      return waiting;
    }, { class: "prompt" });
  }
  function scores(trial, verdict) {
    const scenario = site.scenarios[trial.s];
    return el("dl.scores", {}, scenario.scores.map(({ name, minimum, maximum, boolean, good }, place) => {
      const value = verdict.scores[place];
      if (value === null && name === "held" && scenario.function) return null; // its function's own
      const share = value === null ? 0 : (value - minimum) / ((maximum - minimum) || 1);
      const shown = value === null ? "–" : boolean ? (value ? "yes" : "no") : `${bench.score(value)} of ${maximum}`;
      return [el("dt", {}, name.replaceAll("_", " "), good === "low" && " (low is good)"),
        el("dd", {}, shown, bench.meter(good === "low" ? 1 - share : share))];
    }));
  }
  function verdict(trial, found, judge) {
    const kind = judge.heuristic && el("small", {}, " a heuristic, no language model");
    const heading = el("h3", {}, el("bdi", {}, judge.label), kind);
    if (!found) return el("section.verdict", {}, heading, el("p", {}, "No verdict of this judge."));
    const none = trial.said?.exchanges?.some((each) => each.withheld) ? "Not published." : "It gave none.";
    const reports = (found.reports || []).map(([name, value]) =>
      [el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, el("bdi", {}, value))]);
    return el("section.verdict", { "data-judge": judge.label }, heading, scores(trial, found),
      el("h4", {}, "Its reasoning"), found.reasoning ? prose(found.reasoning, "div.reasons") : el("p", {}, none),
      reports.length > 0 && el("dl.scores", {}, reports),
      el("p.facts", {}, dotted([`${bench.dollars(found.cost)} USD`, found.seconds && `${found.seconds} s`,
        found.repaired && "asked twice: the first reply did not validate",
        found.attempts && `${found.attempts} requests`]), found.at && [" · ", bench.when(found.at)]));
  }
  // The judges of the view, unless others judged in their place.
  const judgesOf = (trial) => (trial.judges ? trial.judges.map((label) => ({ label })) : site.judges);
  // `titled`: with a heading, where there is none above.
  function verdicts(trial, texts, only = null, titled = false) {
    const scenario = site.scenarios[trial.s];
    const judged = !scenario.function || scenario.judged;
    const failures = (trial.failures || []).map(([at, kind, message, judge]) =>
      el("li", {}, at && [bench.when(at), " "], `${kind}${judge ? ` (${judge})` : ""}: ${message}`));
    return el("div.verdicts", { role: "group", "aria-label": "Verdicts" },
      el(titled ? "h2" : "h2.unseen", {}, scenario.scores.length ? "Verdict" : "Outcome"),
      el("p.outcome", {}, outcome(trial),
        scenario.passes.length > 0 && el("small", {}, ` pass mark: ${scenario.passes.join(", ")}`)),
      trial.checks && el("section.verdict", {}, el("h3", {}, "Checks of its function"),
        el("p", {}, trial.checks[0] ? "Held." : ["Yielded: ", el("bdi", {}, trial.checks[1])])),
      judged && judgesOf(trial).map((judge, place) =>
        (only === null || place === only) && verdict(trial, (trial.verdicts || [])[place], judge)),
      failures.length > 0 && el("section", {}, el("h3", {}, "Failed attempts"), el("ul", {}, failures)),
      trial.said && judged && scenario.scores.length > 0 && prompt(trial, texts));
  }
  function facts(trial) {
    const judges = judgesOf(trial).filter((judge) => judge.temperature !== undefined && trial.verdicts);
    return dotted([
      trial.kept === 0 && "delivery not kept everywhere",
      trial.cost !== undefined && `${bench.dollars(trial.cost)} USD`,
      ...judges.map((judge) => `judged by ${judge.label} at temperature ${judge.temperature}`),
      trial.origin && `imported: ${trial.origin}`, `${trial.v}, ${site.deliveries[trial.d].title}`,
    ]);
  }
  // A model's trials are in one chunk unless the kind of edition splits them.
  const chunk = (model, scenario) =>
    `answers-${model + 1}${bench.kind.chunk ? bench.kind.chunk(site.scenarios[scenario]) : ""}`;
  const trialsOf = (model, scenario) => bench.load(chunk(model, scenario));
  function find(trials, scenario, run, variant, delivery) {
    return trials.find((each) => each.s === scenario && (run === null || each.run === run)
      && (!variant || each.v === variant) && (!delivery || each.d === delivery));
  }
  // One line per item of an interview; the earlier conversation above, the full questions below.
  function items(trial, texts) {
    return bench.table("items",
      [["Item", "number"], ["In the words of the question", "text"], ["Answered", "text"], ["That is", "text"],
        ["Score", "number", true]],
      trial.items.map(([number, words, said, option, score]) => [
        number ?? { value: null, show: "choice" }, el("span", { dir: "auto" }, texts[words]), el("bdi", {}, said),
        option ?? "no option, or several", { value: score ?? null, show: score ?? "missing" },
      ]));
  }
  function interview(trial, texts) {
    const { exchanges } = trial.said;
    const earlier = exchanges.filter((each) => !each.question);
    const put = `Every question as it was put, ${exchanges.length - earlier.length}`;
    const questions = () => turns(trial, texts).slice(-2 * exchanges.length)
      .filter((_, place) => exchanges[Math.floor(place / 2)].question);
    return [...turns({ ...trial, said: { ...trial.said, exchanges: earlier } }, texts),
      el("h2", {}, "Questionnaire"), items(trial, texts), bench.fold(put, questions)];
  }
  // Dividers separate several questions; one alone needs none.
  function divided(trial, drawn) {
    const { length } = trial.said.exchanges || [];
    if (length < 2) return drawn;
    const own = drawn.length - 2 * length;
    return drawn.flatMap((each, place) => (place < own || (place - own) % 2 ? [each]
      : [el("h3.divider", {}, `Question ${(place - own) / 2 + 1} of ${length}`), each]));
  }
  function body(trial, texts) {
    if (!trial.said) return [el("p.note", {}, "Nothing was said here: this trial is not measured.")];
    if (trial.items && !bench.kind.conversation) return interview(trial, texts);
    const drawn = turns(trial, texts);
    return bench.kind.conversation ? bench.kind.conversation(trial, drawn, texts) : divided(trial, drawn);
  }
  // How the conversation was held: who is scripted, and how each side reached the other.
  function protocol(trial) {
    if (!trial.said) return null;
    const { opening = [], exchanges = [], greeting, system } = trial.said;
    const put = opening.filter(([speaker]) => speaker === "model").length + (greeting === undefined ? 0 : 1);
    const called = exchanges.filter((each) => each.called).length;
    const sent = exchanges.map((each) => each.sent_as).filter(Boolean);
    const results = sent.filter((as) => as === "tool").length;
    const withheld = exchanges.some((each) => each.withheld);
    return el("details.protocol", {}, el("summary", {}, "How this conversation was held"), el("ul", {}, [
      exchanges.some((each) => each.other) ? ["The persona's interlocutor is played by the model as well; these turns ",
        "say so. All else that the human says is scripted."]
        : site.scenarios[trial.s].function ? ["The human is a function: it says a turn when it has the answer to the ",
          "last, so its turns may differ from model to model."]
          : "The human is a script: its texts were written beforehand and are the same for every model.",
      put > 0 && [put === 1 ? "One turn of the model was" : `${put} turns of the model were`, " put into its mouth, ",
        "too: marked as scripted, with a dashed edge. The model's own turns have a full edge."],
      system !== undefined && "The system prompt is at the top, folded.",
      withheld ? "Its texts are not published, so how they were delivered is not known."
        : site.deliveries[trial.d].by_tool ? ["Delivered by tool: the human's texts reach the model as results of a ",
          `tool, and the model speaks by calling it. ${called} of ${exchanges.length} answers came as such a call; `,
          "the others came as plain content and are judged all the same."]
          : ["Delivered as plain messages: the human's texts are user messages, and the model's answers are ",
            "assistant messages."],
      sent.length > 0 && [`By the record, ${results} of ${sent.length} of the human's texts were sent as tool results `,
        `and ${sent.length - results} as user messages.`],
      site.judges.length > 0 && ["Each judge reads the conversation alone: ",
        "neither the model's name nor its reasoning, other runs or other verdicts."],
      trial.origin && [`It was imported (${trial.origin}): `,
        "texts, answers and verdicts are shown as they were recorded elsewhere."],
    ].filter(Boolean).map((line) => el("li", {}, line))));
  }
  // What a search looks for, as patterns that ignore case; every one of them must match.
  function patterns(wanted, by) {
    const pieces = (by === "words" ? wanted.split(/\s+/) : [wanted]).filter(Boolean);
    return pieces.map((piece) => new RegExp(piece.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "giu"));
  }
  function textNodes(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    return nodes;
  }
  // Mark what matches within the text nodes of an element, and return the marks.
  function highlight(root, wanted) {
    const any = new RegExp(`(${wanted.map((each) => each.source).join("|")})`, "giu");
    return textNodes(root).flatMap((node) => {
      // What matches is at every second place.
      const pieces = node.data.split(any).map((piece, place) => (place % 2 ? el("mark", {}, piece) : piece));
      if (pieces.length > 1) node.replaceWith(...pieces);
      return pieces.filter((_, place) => place % 2);
    });
  }

  return { body, judgesOf, verdicts, outcome, protocol, patterns, textNodes, highlight, facts, chunk, trialsOf, find,
    question, turn, scripted };
})();
