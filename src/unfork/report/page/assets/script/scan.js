// What unfork scan has found: the head, the lists and the details of a scan, in place of those of a run.
const EXTENTS = { all: "explored completely", part: "explored in part", not: "not explored" };
const certain = () => D.findings.filter((finding) => finding.sort === "error");
const explored = (functions, extent) => functions.filter((each) => each.explored === extent).length;
const sum = (functions, key) => functions.reduce((total, each) => total + each[key], 0);

function fillScanHead() {
  const { functions, ignored } = D.scan, files = D.summary.program;
  if (files.length > 4) $("program").textContent = plural(files.length, "file");
  fillStats([
    ["certain", num(certain().length), certain().length ? "bad" : ""],
    ignored.length ? ["ignored", num(ignored.length), ""] : null,
    ["for callers", num(D.findings.length - certain().length), ""],
    ["functions", num(functions.length), ""],
    ["completely", num(explored(functions, "all")), ""],
    explored(functions, "part") ? ["in part", num(explored(functions, "part")), "warn"] : null,
    explored(functions, "not") ? ["not", num(explored(functions, "not")), "warn"] : null,
    ["branches", `${num(sum(functions, "covered"))}/${num(sum(functions, "sides"))}`, ""],
    ["time", seconds(D.summary.seconds), ""],
  ]);
}

/** The functions by file, with their numbers. */
function byFile() {
  const files = new Map();
  D.scan.functions.forEach((each, at) => {
    const number = place(each.place).file;
    if (!files.has(number)) files.set(number, []);
    files.get(number).push({ ...each, at });
  });
  for (const functions of files.values()) functions.sort((a, b) => place(a.place).line - place(b.place).line);
  return [...files].sort((a, b) => (fileName(a[0]) < fileName(b[0]) ? -1 : 1));
}
/** The name of a file from the folder on that all have in common. */
function shortName(number) {
  const names = [...new Set(D.scan.functions.map((each) => fileName(place(each.place).file)))];
  return fileName(number).slice(commonFolder(names).length);
}
const fileName = (number) => (number < 0 ? "unknown file" : D.files[number].name);

const functionLink = (each) => link(`#function/${each.at}`, "function", el("b", null, each.name),
  el("span", { class: "where" }, each.explored === "not" ? "not" : `${num(each.covered)}/${num(each.sides)}`),
  el("span", { class: `meter ${each.explored === "all" ? "all" : each.explored === "part" ? "some" : "none-yet"}`, vars: { part: each.sides ? each.covered / each.sides : 1 } }));

const findingLink = (finding) => link(`#finding/${D.findings.indexOf(finding)}`, finding.sort, el("b", null, finding.kind),
  el("span", { class: "where" }, placeText(finding.place)), el("span", { class: "text" }, finding.precondition && finding.sort === "alarm" ? finding.precondition : finding.message));

function fillScanLists() {
  const files = byFile(), opens = D.scan.functions.length <= 40;
  $("lists").replaceChildren(
    link("#run", "run", el("b", null, "The scan"), el("span", { class: "text" }, "files, what was ignored or left out")),
    section("Certain", certain().length, certain().length ? long(certain(), findingLink, "div", "", 100) : el("p", { class: "none" }, "Nothing certain was found.")),
    section("Functions", D.scan.functions.length, ...files.map(([number, functions]) => el("details", { open: opens },
      el("summary", { title: fileName(number) }, shortName(number), el("span", { class: "count" }, num(functions.length))), long(functions, functionLink, "div", "")))),
  );
}

function showScan() {
  const { ignored, left_out: leftOut, remarks } = D.scan, s = D.summary, files = byFile();
  markLines([]);
  detail([el("h2", null, "The scan"), el("p", null, `unfork ${s.version}: ${s.verdict === "clean" ? "nothing certain was found that is new" : s.verdict}`)], s.verdict,
    D.troubles.length ? section("Not shown", null, notes(D.troubles)) : null,
    remarks.length ? section("Comments", remarks.length, notes(remarks)) : null,
    ignored.length ? section("Ignored", ignored.length, table(ignored.map(([kind, at, message, reason]) => [kind, placeButton(at), el("span", { title: message }, reason)]), null, "wide")) : null,
    leftOut.length ? section("Left out", leftOut.length, notes(leftOut)) : null,
    section("Files", files.length, table(files.map(([number, functions]) => [shortName(number), ...["all", "part", "not"].map((extent) => num(explored(functions, extent))),
      `${num(sum(functions, "covered"))}/${num(sum(functions, "sides"))}`, num(certain().filter((finding) => place(finding.place).file === number).length)]),
      ["", "completely", "in part", "not", "branches", "certain"], "figures")));
}

function showFunction(number) {
  const each = D.scan && D.scan.functions[number];
  if (!each) return showRun();
  const here = D.findings.filter((finding) => finding.from.includes(number));
  detail([el("p", { class: "kind" }, "function"), el("h2", null, each.name), el("p", { class: "message" }, [EXTENTS[each.explored], each.reason].filter(Boolean).join(": ")),
    el("p", { class: "at" }, placeButton(each.place))], "line",
    here.length ? section("Findings", here.length, long(here, findingLink, "div", "", 40)) : null,
    section("Requires", each.requires.length, each.requires.length ? notes(each.requires) : el("p", { class: "none" }, "nothing that was found"),
      each.as_code.length ? el("pre", null, each.as_code.join("\n")) : null),
    each.assumptions.length ? section("Assumed", each.assumptions.length, notes(each.assumptions)) : null,
    section("Figures", null, facts([["branches covered", `${num(each.covered)} of ${num(each.sides)}`], ["time", seconds(each.seconds)]])));
  markLines(here.map((finding) => finding.place));
  const there = place(each.place);
  if (there.known) reveal(there.file, there.line, true);
}

function showScanned(finding) {
  const test = D.tests.find((each) => each.name === finding.test);
  const why = [`${finding.certainty}: ${finding.reason}.`, finding.known ? "It is in the baseline." : ""].filter(Boolean).join(" ");
  const steps = finding.path.map(([number, text]) => el("li", null, placeButton(number, String(place(number).line || "")), el("code", null, text)));
  detail([el("p", { class: "kind" }, finding.certainty), el("h2", null, finding.kind), el("p", { class: "message" }, finding.message),
    el("p", { class: "at" }, placeButton(finding.place), place(finding.place).name ? ` in ${place(finding.place).name}` : "")], finding.sort,
    el("p", { class: "quiet" }, why),
    finding.precondition ? section("Callers must see to it that", null, notes([finding.precondition])) : null,
    finding.path.length ? section("Path", finding.path.length, el("ol", { class: "conditions" }, steps)) : null,
    test ? worldOf(test) : null,
    finding.stack.length ? section("Stack", finding.stack.length, long(finding.stack, frame, "ol", "stack", 24)) : null,
    finding.from.length > 1 ? section("Reached from", finding.from.length, long(finding.from, (at) => el("li", null, el("a", { href: `#function/${at}` }, D.scan.functions[at].name)), "ul", "plain", 30)) : null,
    finding.program.length ? section("C program", null, el("p", { class: "quiet" }, finding.reproducer, ", behind the text of the source:"), el("pre", null, finding.program.join("\n"))) : null);
  markLines([...finding.path.map((step) => step[0]), ...finding.stack.map((each) => each.place)]);
  const there = place(finding.place);
  if (there.known) reveal(there.file, there.line, true);
}
