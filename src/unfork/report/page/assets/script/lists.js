// The head, and the lists on the left.
function fillHead() {
  const s = D.summary;
  const full = s.program.join(" ");
  $("program").textContent = full.length > 40 ? s.program.map(base).join(" ") : full;
  $("program").title = full;
  $("verdict").textContent = s.verdict;
  $("verdict").className = `verdict ${s.verdict}`;
  document.body.classList.toggle("no-graph", Boolean(D.proofs || D.scan));
  if (D.proofs) return fillProofsHead();
  if (D.scan) return fillScanHead();
  const cover = s.coverage;
  fillStats([
    ["errors", num(s.errors.length), s.errors.length ? "bad" : ""],
    s.alarms.length ? ["alarms", num(s.alarms.length), "warn"] : null,
    ["tests", num(s.tests), ""],
    cover ? ["branches", `${num(cover.branches.covered)}/${num(cover.branches.total)}`, ""] : null,
    cover ? ["lines", `${num(cover.lines.covered)}/${num(cover.lines.total)}`, ""] : null,
    ["paths", big(s.paths.completed), ""],
    ["forks", num(s.forks), ""],
    s.merges.done ? ["joins", num(s.merges.done), ""] : null,
    s.prunes.hits ? ["covered", num(s.prunes.hits), ""] : null,
    ["queries", num(s.solver.queries), ""],
    ["time", seconds(s.seconds), ""],
  ]);
}

function fillStats(stats) {
  $("stats").replaceChildren(...stats.filter((each) => each).map(([name, value, kind]) =>
    el("div", { class: kind }, el("dt", null, name), el("dd", { "data-figure": name }, value))));
}

function link(href, kind, ...children) {
  return el("a", { class: `item ${kind}`, href }, ...children);
}

function fillLists() {
  if (D.proofs) return fillProofsLists();
  if (D.scan) return fillScanLists();
  const failures = D.findings.map((finding, at) => link(`#finding/${at}`, finding.sort,
    el("b", null, finding.kind),
    el("span", { class: "where" }, placeText(finding.place)),
    el("span", { class: "text" }, finding.message)));
  const none = el("p", { class: "none" }, "No errors were found.");
  const failing = new Set(D.findings.map((finding) => finding.test));
  const tests = D.tests.map((test, at) => ({ test, at })).sort((a, b) => b.test.fails - a.test.fails);
  const list = long(tests, ({ test, at }) => link(`#test/${at}`, test.fails ? "test fails" : "test",
    el("b", null, base(test.name).replace(".json", "")),
    el("span", { class: "text" }, test.fails && failing.has(test.name) ? D.findings.find((f) => f.test === test.name).kind : test.expect)), "div", "", 100);
  $("lists").replaceChildren(
    link("#run", "run", el("b", null, "The run"), el("span", { class: "text" }, "verdict, figures, strategies")),
    section("Findings", D.findings.length, ...(failures.length ? failures : [none])),
    section("Hot spots", null, ...hot()),
    ...(D.functions.length ? [section("Functions", D.functions.length, ...D.functions.map(coverageOf))] : []),
    section("Tests", D.tests.length, list),
  );
}

function coverageOf([name, number, line, covered, sides]) {
  const part = sides ? covered / sides : 1;
  const kind = covered === sides ? "all" : covered ? "some" : "none-yet";
  const inside = [el("b", null, name), el("span", { class: "where" }, `${num(covered)}/${num(sides)}`),
    el("span", { class: `meter ${kind}`, vars: { part } })];
  return number < 0 ? el("span", { class: "item" }, ...inside) : link(`#line/${number}/${line}`, "function", ...inside);
}

/** The lines where most happens, by the figure that there is. */
function hot() {
  const every = Object.entries(D.lines).flatMap(([number, lines]) =>
    Object.entries(lines).map(([line, figures]) => ({ number: Number(number), line: Number(line), figures })));
  const kinds = [["seconds", D.proofs ? "seconds of obligations" : "solver seconds"], ["forks", "forks"], ["born", "forks led here"], ["refused", "joins refused"], ["covers", "states covered"]];
  const out = [];
  for (const [key, words] of kinds) {
    const top = every.filter((each) => amount(each.figures, key) > 0)
      .sort((a, b) => amount(b.figures, key) - amount(a.figures, key) || a.line - b.line).slice(0, 5);
    if (!top.length || (key === "seconds" && amount(top[0].figures, key) < 0.01) || (key === "born" && out.length)) continue;
    out.push(el("h3", null, words));
    for (const { number, line, figures } of top) {
      const value = amount(figures, key);
      out.push(link(`#line/${number}/${line}`, "hot",
        el("b", null, `${base(D.files[number].name)}:${line}`),
        el("span", { class: "where" }, key === "seconds" ? seconds(value) : num(value)),
        el("span", { class: "meter heat", vars: { part: value / amount(top[0].figures, key) } })));
    }
  }
  return out.length ? out : [el("p", { class: "none" }, D.proofs ? "No obligation took long." : "No state forked.")];
}

/** Which link is the selected one. */
function current(hash) {
  for (const item of document.querySelectorAll("a.item")) {
    if (item.getAttribute("href") === hash) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
}
