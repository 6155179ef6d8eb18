// The source: a row a line, with what run.db counts there.
const COLUMNS = [
  ["sides", "sides", "branch sides: filled ones were taken"],
  ["forks", "forks", "states that forked here"],
  ["born", "born", "states that forks led to here"],
  ["joins", "joins", "joined states"],
  ["refused", "refused", "joins that were refused, by all strategies"],
  ["covers", "covers", "states that were covered"],
  ["proved", "proved", "obligations that were proved"],
  ["failed", "failed", "obligations that a call breaks"],
  ["open", "open", "obligations that were not proved"],
  ["unknown", "unknown", "obligations that nobody has decided"],
  ["seconds", "solver s", "seconds of the solver, in all strategies"],
];
let file = -1;
let rows = []; // of the file that is shown
let used = []; // the columns that have any figure
let most = {};

function listenSource() {
  $("file").addEventListener("change", () => show(Number($("file").value)));
  $("code").addEventListener("keydown", moveLine);
  $("code").addEventListener("click", (event) => {
    const row = event.target.closest(".line");
    if (row && !event.target.closest("a") && !getSelection().toString()) go("line", file, row.dataset.line);
  });
}

function fillSource() {
  const every = Object.values(D.lines).flatMap((lines) => Object.values(lines));
  const columns = D.proofs ? COLUMNS.map((each) => (each[0] === "seconds" ? ["seconds", "seconds", "seconds that obligations took"] : each)) : COLUMNS;
  used = columns.filter(([key]) => every.some((line) => amount(line, key) > 0));
  if (used.some(([key]) => key === "forks")) used = used.filter(([key]) => key !== "born");
  for (const [key] of used) most[key] = every.reduce((largest, line) => Math.max(largest, amount(line, key)), 0);
  const own = D.files.map((entry, number) => ({ entry, number })).filter(({ entry }) => entry.status !== "library");
  const common = commonFolder(own.filter(({ entry }) => entry.lines.length).map(({ entry }) => entry.name));
  $("file").replaceChildren(...own.map(({ entry, number }) => el("option", { value: number, title: entry.name }, entry.name.startsWith(common) ? entry.name.slice(common.length) : entry.name)));
  const first = D.findings.length && place(D.findings[0].place).known ? place(D.findings[0].place).file : D.files.findIndex((each) => each.status !== "library");
  const isRefilled = D.files[file] !== undefined, top = $("code").scrollTop;
  const now = isRefilled ? file : Math.max(first, 0);
  file = -1;
  show(now);
  if (isRefilled) $("code").scrollTop = top;
}

/** The folder that all files are in, if leaving it out helps to read their names. */
function commonFolder(names) {
  let folder = names.length ? names[0].slice(0, names[0].lastIndexOf("/") + 1) : "";
  if (names.length === 1 && folder.length < 24) return "";
  while (folder && !names.every((name) => name.startsWith(folder))) folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder;
}

function amount(line, key) {
  const value = line[key];
  if (value === undefined) return 0;
  return key === "refused" ? value.reduce((sum, [, count]) => sum + count, 0) : key === "sides" ? value.length : value;
}

/** Show a file; its rows are made once more each time, which takes milliseconds. */
function show(number) {
  if (number === file || !D.files[number]) return;
  file = number;
  $("file").value = String(number);
  const entry = D.files[number];
  $("note").textContent = entry.note;
  $("note").className = entry.status;
  const lines = D.lines[number] || {};
  const errors = {};
  for (const flag of flags()) {
    const at = place(flag.place);
    if (at.file === number) (errors[at.line] = errors[at.line] || []).push(flag);
  }
  const code = $("code");
  code.style.setProperty("--digits", String(Math.max(3, String(entry.lines.length).length)));
  code.className = used.map(([key]) => `has-${key}`).join(" ");
  const texts = entry.lines.length ? entry.lines : unreadable(lines);
  rows = texts.map((pieces, at) => row(at + 1, pieces, lines[at + 1] || {}, errors[at + 1] || []));
  const heads = used.map(([key, word, title]) => el("span", { class: `cell ${key}`, title }, word));
  const head = el("div", { class: "row heads" }, el("span", { class: "number" }), ...heads, el("span", { class: "text" }));
  code.replaceChildren(head, ...rows.filter((each) => each));
  const first = rows.find((each) => each && lines[each.dataset.line]);
  code.scrollTop = first ? Math.max(0, first.offsetTop - 120) : 0;
  mark();
}

/** What failed: errors and alarms, or contracts that a call breaks. */
function flags() {
  if (!D.proofs) return D.findings.map((finding, at) => ({ ...finding, href: `#finding/${at}` }));
  return D.proofs.flatMap(({ broken }, at) => (broken ? [{ ...broken, sort: "error", message: broken.call, href: `#proof/${at}` }] : []));
}

/** The lines of a file that cannot be read: only those of which something is known. */
function unreadable(lines) {
  const texts = [];
  for (const number of Object.keys(lines)) texts[number - 1] = ["c", "(not readable here)"];
  return texts;
}

function row(number, pieces, figures, errors) {
  const cells = used.map(([key]) => cell(key, figures));
  const text = el("span", { class: "text" });
  for (let at = 0; at < pieces.length; at += 2) {
    text.append(pieces[at] ? el("span", { class: `h-${pieces[at]}` }, pieces[at + 1]) : pieces[at + 1]);
  }
  const marks = errors.map((flag) => el("a", { class: `flag ${flag.sort}`, href: flag.href, title: flag.message }, flag.kind));
  const link = el("a", { class: "number", href: `#line/${file}/${number}`, tabindex: -1 }, String(number));
  const fails = errors.some((flag) => flag.sort === "error" || !D.scan);
  const kind = `row line${fails ? " failing" : ""}`;
  return el("div", { class: kind, "data-line": number }, link, ...cells, text, ...marks);
}

function cell(key, figures) {
  const value = figures[key];
  const out = el("span", { class: `cell ${key}` });
  if (value === undefined) return out;
  if (key === "sides") {
    const taken = value.filter((side) => side[3]).length;
    const missed = value.filter((side) => side[4]).map((side) => (side[5] ? `to line ${side[5]}: ${side[4]}` : side[4]));
    out.title = [`${taken} of ${plural(value.length, "branch side")} taken`, ...missed].join("\n");
    if (value.length > 8) out.append(el("span", { class: taken === value.length ? "all" : "some" }, `${taken}/${value.length}`));
    else out.append(...value.map((side) => el("i", { class: side[3] ? "taken" : "open" })));
    return out;
  }
  const count = amount(figures, key);
  out.textContent = key === "seconds" ? (count < 0.005 ? "" : count.toFixed(2)) : num(count);
  if (key === "refused") out.title = value.map(([reason, times]) => `${num(times)} ${reason}`).join("\n");
  out.style.setProperty("--heat", String(Math.round((100 * Math.log1p(count)) / Math.log1p(most[key]))));
  return out;
}

let latest = null; // the line that was brought into view last
/** Bring a line into view, and mark it. */
function reveal(number, line, quietly) {
  latest = [number, line];
  show(number);
  const row = rows[line - 1];
  if (!row) return;
  if (!quietly) document.body.dataset.tab = "source";
  const code = $("code");
  const top = row.offsetTop - code.clientHeight / 3;
  if (row.offsetTop < code.scrollTop + 40 || row.offsetTop > code.scrollTop + code.clientHeight - 60) code.scrollTop = top;
  for (const each of code.querySelectorAll(".here")) each.classList.remove("here");
  row.classList.add("here");
}

/** Mark the lines of the selected path. */
function mark() {
  const visited = new Set(marked.get(file) || []);
  for (const row of rows) if (row) row.classList.toggle("visited", visited.has(Number(row.dataset.line)));
}
let marked = new Map();
function markLines(places) {
  marked = new Map();
  for (const number of places) {
    const at = place(Math.max(number, 0));
    if (!marked.has(at.file)) marked.set(at.file, new Set());
    marked.get(at.file).add(at.line);
  }
  mark();
}

function moveLine(event) {
  const steps = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
  const here = $("code").querySelector(".here");
  if (event.key === "Enter" && here) {
    go("line", file, here.dataset.line);
    event.preventDefault();
  } else if (event.key in steps) {
    const from = here ? Number(here.dataset.line) : 0;
    const there = Math.min(Math.max(from + steps[event.key], 1), rows.length);
    if (rows[there - 1]) reveal(file, there, true);
    event.preventDefault();
  }
}
