// The right side: what is selected, as a path.
function detail(title, kind, ...children) {
  const box = $("detail");
  box.replaceChildren(el("header", { class: kind }, ...title), ...children.flat().filter((each) => each));
  box.scrollTop = 0;
}

function showRun() {
  if (D.proofs) return showProofs();
  if (D.scan) return showScan();
  const s = D.summary, t = D.totals;
  markLines([]);
  const lost = [...s.given_up.map((loss) => [`${loss.reason}: ${loss.detail}`, num(loss.paths)])];
  const stop = s.stopped_by === "killed" ? "cut off before its end, or still going on" : s.stopped_by ? `stopped by ${s.stopped_by}` : s.exhausted ? "everything was explored" : "not everything was explored";
  const raced = (s.strategies || []).map((each) => [each.name, el("div", { class: "strategy" },
    el("span", null, [each.edges_first ? `first to ${plural(each.edges_first, "branch")}` : "", each.errors_first ? `first to ${plural(each.errors_first, "error")}` : "",
      each.ended ? "explored everything" : each.stopped_by ? `stopped by ${each.stopped_by}` : ""].filter(Boolean).join(", ")),
    el("span", { class: "quiet" }, `${plural(each.rounds, "round")}, ${plural(each.states, "state")}, ${big(each.paths)} paths`))]);
  detail([el("h2", null, "The run"), el("p", null, `unfork ${s.version}: ${s.verdict}, ${stop}`)], s.verdict,
    D.why && D.why.advice.length ? section("What to try", null, el("ol", { class: "advice" }, D.why.advice.map(([options, because, at]) =>
      el("li", null, el("code", null, options), el("p", null, because), place(at).known ? el("p", { class: "at" }, placeButton(at)) : null)))) : null,
    D.why && D.why.growth.length ? el("p", null, ...D.why.growth) : null,
    D.unreached && D.unreached.sides ? section("What stands before the branch sides not taken", D.unreached.sides, table(D.unreached.obstacles.map(([what, at, why, behind]) =>
      [placed(at, what, why), num(behind)]), ["", "sides behind"], "wide")) : null,
    D.unreached && D.unreached.functions.length ? section("Functions not entered", D.unreached.functions.length, table(D.unreached.functions.map(([what, at, why, count]) =>
      [placed(at, what, why), num(count)]), ["", "sides in it"], "wide")) : null,
    D.why && D.why.work ? section("Where states went, and what that brought", null, table(D.why.attention.map(([name, born, work, news]) =>
      [name || "outside of the program's own source", num(born), `${Math.round((100 * work) / D.why.work)} %`, num(news)]), ["", "new states", "of the work", "new branches"], "figures")) : null,
    D.why && D.why.loops.length ? section("Loops in which states multiply", null, table(D.why.loops.map(([at, forks, born]) =>
      [placeButton(at), num(forks), num(born), `${Math.round((100 * born) / Math.max(D.why.born, 1))} %`]), ["", "forks", "new states", "of all"], "figures")) : null,
    D.troubles.length ? section("Not shown", null, el("ul", { class: "notes" }, D.troubles.map((each) => el("li", null, each)))) : null,
    section("Figures", null, facts([
      s.threads > 1 ? ["threads, at most", num(s.threads)] : null,
      ["paths completed", num(s.paths.completed)],
      ["paths represented", big(s.paths.represented)],
      s.threads > 1 ? ["executions cut short, as others do the same", num(s.paths.pruned)] : null,
      s.paths.killed ? ["paths given up", num(s.paths.killed)] : null,
      s.paths.bounded ? ["paths cut at a bound", num(s.paths.bounded)] : null,
      ["states", num(s.states.created)],
      ["states at once, at most", num(s.states.peak)],
      s.states.left ? ["states left waiting", num(s.states.left)] : null,
      s.states.dropped ? ["states dropped", num(s.states.dropped)] : null,
      ["forks", num(s.forks)],
      ["joins", num(s.merges.done)],
      ["states covered", `${num(s.prunes.hits)} of ${num(s.prunes.checks)} looked at`],
      ["instructions", num(s.instructions)],
      ["solver queries", num(s.solver.queries)],
      ["answered without", num(s.solver.answered_without)],
      s.solver.unknown ? ["solver unknown", num(s.solver.unknown)] : null,
      ["solver time", seconds(s.solver.seconds)],
      ["time", seconds(s.seconds)],
      ["memory, at most", `${num(s.peak_memory_mb)} MB`],
    ])),
    lost.length ? section("Given up", null, table(lost, ["why", "paths"], "wide")) : null,
    s.bounds_hit.length ? section("Bounds that were hit", null, el("ul", { class: "notes" }, s.bounds_hit.map((each) => el("li", null, each)))) : null,
    (s.assumptions || []).length ? section("Assumed", null, el("ul", { class: "notes" }, s.assumptions.map((each) => el("li", null, each)))) : null,
    raced.length ? section("Strategies", null, facts(raced)) : null,
    Object.keys(s.merges.refused).length ? section("Joins refused", null, table(Object.entries(s.merges.refused).map(([why, count]) => [why, num(count)]), null, "wide")) : null,
    t ? section("How states ended", null, table(t.ends.map(([end, count]) => [swatch(end), MEANINGS[end] || end, num(count)]), null, "ends"),
      t.states < s.states.created ? el("p", { class: "quiet" }, `run.db knows ${plural(t.states, "state")} that ended; the others were still waiting, or in other processes.`) : null) : null,
  );
}

/** A place, what is there, and why no path went on. */
const placed = (at, what, why) => el("span", null, place(at).known ? placeButton(at) : "", ` ${what}`, el("br"), el("span", { class: "quiet" }, why));
const swatch = (end) => el("i", { class: `swatch ${classOf(end)}` });

function showFinding(number) {
  const finding = D.findings[number];
  if (!finding) return showRun();
  if (D.scan) return showScanned(finding);
  const at = D.tests.findIndex((test) => test.name === finding.test);
  const test = D.tests[at];
  const judged = { confirmed: "A native run fails too.", "not seen": "A native run does not show it.", denied: "A native run denies it." }[finding.native];
  detail([el("p", { class: "kind" }, finding.sort), el("h2", null, finding.kind), el("p", { class: "message" }, finding.message),
    el("p", { class: "at" }, placeButton(finding.place), place(finding.place).name ? ` in ${place(finding.place).name}` : "")], finding.sort,
    el("p", { class: "quiet" }, [finding.replayed ? "Replayed from its test alone." : "The test does not replay.", judged, finding.reason].filter(Boolean).join(" "),
      test ? el("a", { class: "to", href: `#test/${at}` }, base(test.name)) : null),
    test ? worldOf(test) : null,
    finding.stack.length ? section("Stack", finding.stack.length, long(finding.stack, frame, "ol", "stack", 24)) : null,
    test ? walkOf(test) : null, test ? conditionsOf(test) : null, test ? originOf(test) : null);
  markLines(test && test.walk ? test.walk.steps.map((step) => step[0]) : finding.stack.map((each) => each.place));
  const there = place(finding.place);
  if (there.known) reveal(there.file, there.line, true);
}

function frame(each) {
  return el("li", null, el("div", null, el("b", null, each.function), placeButton(each.place, `${each.near ? "near " : ""}${placeText(each.place)}`)),
    each.values.length ? el("div", { class: "values" }, each.values.map(value)) : null);
}

const value = ([name, text]) => el("span", { class: "value" }, el("i", null, name), ` = ${text}`);

function showTest(number) {
  const test = D.tests[number];
  if (!test) return showRun();
  const finding = D.findings.findIndex((each) => each.test === test.name);
  detail([el("p", { class: "kind" }, "test"), el("h2", null, base(test.name)), el("p", { class: "message" }, `expected: ${test.expect}`)], test.fails ? "error" : "test",
    el("p", { class: "quiet" }, test.strategy ? `Found by the strategy ${test.strategy}.` : "", finding >= 0 ? el("a", { class: "to", href: `#finding/${finding}` }, D.findings[finding].kind) : null),
    worldOf(test), walkOf(test), conditionsOf(test), originOf(test),
    test.branches.length ? section("Written for", test.branches.length, long(test.branches, (each) => el("li", null, each), "ul", "plain", 30)) : null);
  markLines(test.walk ? test.walk.steps.map((step) => step[0]) : []);
  const last = test.walk ? test.walk.steps.findLast((step) => step[0] > 0) : null;
  const there = place(test.place || (last ? last[0] : 0));
  if (there.known) reveal(there.file, there.line, true);
}

/** What a test gives the program. */
function worldOf(test) {
  const inputs = test.inputs.map((each) => [el("b", null, each.name), each.value === null ? each.text : each.value,
    el("span", { class: "quiet" }, `${each.type || plural(each.size, "byte")}${each.kind === "symbolic" ? "" : ` (${each.kind})`}`),
    el("code", { title: "bytes" }, each.bytes)]);
  const given = test.args.length || test.stdin || test.files.length || test.environment.length || test.stdout;
  const input = ([name, shown, type, bytes]) => el("div", null, name, type, el("span", { class: "shown" }, shown), bytes);
  const list = long(inputs, input, "div", "inputs", given ? 4 : 12);
  const rest = facts([
    test.args.length ? ["arguments", test.args.join(" ")] : null,
    test.stdin ? ["standard input", test.stdin] : null,
    ...test.files.map(([name, text]) => [name, text]),
    ...test.environment.map(([name, text]) => [`variable ${name}`, text]),
    test.stdout ? ["prints", test.stdout] : null,
  ]);
  return [
    section("Inputs", test.inputs.length, given ? rest : null, inputs.length ? list : given ? null : el("p", { class: "none" }, "none"),
      test.undefined ? el("p", { class: "quiet" }, `and ${plural(test.undefined, "undefined value")}, 0 here`) : null),
    test.heap.length ? section("Heap that it is given", null, el("pre", null, test.heap.join("\n"))) : null,
    test.schedule.length ? section("Schedule, with the locks that are held", test.schedule.length - 1, table(test.schedule.slice(1), test.schedule[0], "lanes")) : null,
  ];
}

/** The steps of a replay: where it went, with the values that were new there. */
function walkOf(test) {
  const walk = test.walk;
  if (!walk) return test.untold ? section("Steps", null, el("p", { class: "none" }, test.untold)) : null;
  const make = (each, at) => step(each, at ? walk.steps[at - 1] : null);
  const steps = el("div", null, walk.note ? el("p", { class: "quiet" }, walk.note) : null, long(walk.steps, make, "ol", "steps", 150));
  return section("Steps", walk.steps.length, steps);
}

/** A step; where it is in another function than the one before, its name comes first. */
function step([number, depth, turns, values], before) {
  if (number < 0) return el("li", { class: "gap" }, `${num(turns)} steps are left out`);
  const at = place(number), was = place(before && before[0] > 0 ? before[0] : 0);
  const enters = at.known && (at.name !== was.name || at.file !== was.file);
  const lines = at.known ? D.files[at.file].lines[at.line - 1] : null;
  const code = lines ? lines.filter((_, index) => index % 2).join("").trim() : at.name;
  return el("li", { vars: { depth: Math.min(depth, 12) } },
    enters ? el("span", { class: "enters" }, `${at.name} `, at.file === was.file ? "" : el("i", null, base(D.files[at.file].name))) : null,
    placeButton(number, String(at.line || "?")),
    el("span", { class: "code", title: at.name }, code), turns > 1 ? el("span", { class: "turns" }, `${num(turns)} times`) : null,
    values.length ? el("div", { class: "values" }, values.map(value)) : null);
}

function conditionsOf(test) {
  if (!test.conditions) return test.unknown ? section("Path condition", null, el("p", { class: "none" }, test.unknown)) : null;
  const list = long(test.conditions, ([number, text]) => el("li", null, number ? placeButton(number, String(place(number).line)) : el("span", { class: "place" }), el("code", null, text)), "ol", "conditions", 100);
  return section("Path condition", test.conditions.length, test.conditions.length ? list : el("p", { class: "none" }, "true: it does not depend on inputs"));
}

/** Where the path is in the execution graph. */
function originOf(test) {
  const node = D.graph ? D.graph.origins[test.name] : undefined;
  if (node === undefined) return null;
  return [coverOf(node), historyOf(node, D.graph.taken[test.name])];
}

/** Who covers a state, and what it had to meet for that. */
function coverOf(at) {
  const cover = G.coverOf.get(at), g = D.graph;
  if (!cover) return null;
  const who = cover[1] >= 0 ? links([cover[1]]) : cover[2] === null ? cover[3] : `state ${cover[2]}, in another process`;
  const learnt = cover[5] === null ? null : g.learnt[cover[5]];
  return section("Covered", null,
    facts([["by state", who], cover[4] ? ["with objects", cover[4]] : null, G.place[at] ? ["at", placeButton(G.place[at])] : null]),
    learnt ? el("p", { class: "quiet" }, "It meets the interpolant that was learnt there: nothing new happens to a state of which all this holds.") : null,
    learnt ? long(learnt, (each) => el("li", null, el("code", null, each)), "ol", "conditions", 40) : null);
}

/** The forks and joins that led to a state, first one first. */
function historyOf(node, taken) {
  const sides = new Map();
  for (let at = 0; taken && at < taken.length; at += 2) sides.set(taken[at], taken[at + 1]);
  const chain = [];
  for (let at = node; at >= 0; at = sides.has(at) ? sides.get(at) : G.parent[at]) chain.push(at);
  chain.reverse();
  const item = (at) => {
    const others = G.joinsOf.get(at);
    const words = others ? `joined with ${[...others].filter((each) => !chain.includes(each)).slice(0, 4).map((each) => G.id[each]).join(", ")}` : "";
    return el("li", null, el("a", { href: `#state/${G.id[at]}` }, String(G.id[at])), G.born[at] ? placeButton(G.born[at]) : el("span", { class: "place" }, G.parent[at] < 0 ? "start" : ""),
      words ? el("span", { class: "joined" }, words) : null, ending(at));
  };
  return section("Forks and joins", chain.length - 1, long(chain, item, "ol", "history", 120));
}

function ending(at) {
  const end = D.graph.ends[G.end[at]];
  return end === "forked" || end === "joined" ? null : el("span", { class: `ended ${classOf(end)}` }, end);
}

function showState(id) {
  const at = G ? G.at.get(id) : undefined;
  if (at === undefined) return showRun();
  const g = D.graph, end = g.ends[G.end[at]], inner = end === "forked";
  const covering = G.covering.get(at) || [], joined = G.joinsOf.get(at);
  detail([el("p", { class: "kind" }, "state"), el("h2", null, `State ${num(id)}`),
    el("p", { class: "message" }, el("i", { class: `swatch ${classOf(end)}` }), MEANINGS[end] || end, G.place[at] ? [" at ", placeButton(G.place[at])] : ""),
    g.details[G.detail[at]] ? el("p", null, g.details[G.detail[at]]) : null], classOf(end),
    facts([
      G.born[at] ? ["born at", placeButton(G.born[at])] : null,
      inner ? ["states below", num(G.width[at])] : ["instructions", num(G.instructions[at])],
      inner ? null : ["forks along the path", num(G.depth[at])],
      inner ? null : ["stands for", plural(g.stands[at], "path")],
      G.test[at] ? ["test", testLink(g.tests[G.test[at]])] : null,
      joined ? ["joined from", links([...joined])] : null,
      covering.length ? ["covers", [`${plural(covering.length, "state")}: `, links(covering.slice(0, 12))]] : null,
    ]),
    coverOf(at), historyOf(at));
  const chain = [];
  for (let each = at; each >= 0; each = G.parent[each]) chain.push(G.born[each]);
  markLines(chain);
  const there = place(G.place[at] || G.born[at]);
  if (there.known) reveal(there.file, there.line, true);
}

const links = (nodes) => nodes.map((each) => [el("a", { href: `#state/${G.id[each]}` }, String(G.id[each])), " "]);
function testLink(name) {
  const at = D.tests.findIndex((test) => test.name === name);
  return at < 0 ? name : el("a", { href: `#test/${at}` }, base(name));
}

function showLine(number, line) {
  const entry = D.files[number];
  if (!entry) return showRun();
  const figures = (D.lines[number] || {})[line] || {};
  const sides = figures.sides || [];
  const here = D.findings.map((finding, at) => ({ finding, at })).filter(({ finding }) => place(finding.place).file === number && place(finding.place).line === line);
  const count = (key) => (figures[key] === undefined ? null : num(amount(figures, key)));
  const born = [];
  for (let at = 0; G && at < G.size && born.length < 200; at += 1) {
    const where = place(G.born[at]);
    if (where.file === number && where.line === line) born.push(at);
  }
  detail([el("p", { class: "kind" }, "line"), el("h2", null, `${base(entry.name)}:${line}`)], "line",
    here.map(({ finding, at }) => link(`#finding/${at}`, finding.sort, el("b", null, finding.kind), el("span", { class: "text" }, finding.message))),
    facts([
      count("forks") ? ["states that forked", count("forks")] : null,
      count("born") ? ["forks that led here", count("born")] : null,
      count("joins") ? ["joined states", count("joins")] : null,
      count("refused") ? ["joins refused", count("refused")] : null,
      count("covers") ? ["states covered", count("covers")] : null,
      ...Object.keys(ENDINGS).map((ending) => (count(ending) ? [`obligations ${ending}`, count(ending)] : null)),
      figures.queries ? ["solver queries", `${num(figures.queries)} in ${seconds(figures.seconds)}`] : null,
      ...(figures.ends || []).map(([end, many]) => [MEANINGS[end] || end, num(many)]),
    ]),
    Object.keys(figures).length || here.length ? null : el("p", { class: "none" }, D.proofs ? "There is nothing to prove here." : D.scan ? "Nothing was found here." : "No state forked, met or ended here."),
    obligationsAt(number, line),
    figures.refused ? section("Joins refused", null, table(figures.refused.map(([why, times]) => [why, num(times)]), null, "wide")) : null,
    sides.length ? section("Branch sides", sides.length, table(sides.map(([name, block, side, taken, why, to]) =>
      [el("i", { class: `swatch ${taken ? "fine" : "open"}` }), el("span", null, `${name}, block ${block}, side ${side}${to ? `, to line ${to}` : ""}`,
        why ? el("br") : "", why ? el("span", { class: "quiet" }, why) : ""), taken ? "taken" : "never taken"]), null, "ends")) : null,
    born.length ? section("States born here", null, long(born, (at) => el("li", null, el("a", { href: `#state/${G.id[at]}` }, String(G.id[at])), ending(at)), "ol", "history", 30)) : null);
  markLines([]);
  reveal(number, line, true);
}
