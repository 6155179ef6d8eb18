// Light and dark, keys, and what is selected: the part of the address after #.
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = "auto";
function listenKeys() {
  theme("auto");
  prefersDark.addEventListener("change", () => theme(chosenTheme));
  $("theme").addEventListener("click", nextTheme);
  $("help").addEventListener("click", () => $("keys").showModal());
  const keys = [["n / p", "next, previous finding or proof"], ["] / [", "next, previous test"], ["r", "the run"], ["1 2 3 4", "lists, source, details, graph"],
    ["j k, arrows", "lines of the source"], ["Enter", "details of the line; in the graph, zoom to the state"],
    ["arrows", "in the graph: parent, child, neighbours"], ["+ - 0", "zoom the graph, show all"], ["t", "light or dark"], ["?", "these keys"]];
  $("keys").append(el("h2", null, "Keys"), el("dl", { class: "facts" }, keys.flatMap(([key, what]) => [el("dt", null, el("kbd", null, key)), el("dd", null, what)])),
    el("form", { method: "dialog" }, el("button", null, "Close")));
  for (const tab of document.querySelectorAll("#tabs button")) tab.addEventListener("click", () => tabTo(tab.dataset.tab));
  document.addEventListener("keydown", key);
  $("lists").addEventListener("click", (event) => {
    const item = event.target.closest("a.item");
    if (item && item.getAttribute("href") === location.hash) select(); // a phone shows what was selected at first, too
  });
  addEventListener("hashchange", () => { if (location.hash !== selected) select(); });
}

function tabTo(name) {
  document.body.dataset.tab = name;
  if (name === "source" && latest) reveal(...latest, true);
  if (name === "graph" && G) { fitRows(); choose(view.chosen); }
}

function nextTheme() {
  theme(chosenTheme === "auto" ? (prefersDark.matches ? "light" : "dark") : "auto");
}

function theme(name) {
  chosenTheme = name;
  document.documentElement.dataset.theme = name === "auto" ? (prefersDark.matches ? "dark" : "light") : name;
  $("theme").textContent = { auto: "\u25d0", light: "\u2600", dark: "\u263e" }[name];
  if (G) repaint();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, dialog")) return;
  const part = { 1: "lists", 2: "code", 3: "detail", 4: "canvas" }[event.key];
  if (part && (part !== "canvas" || !(D.proofs || D.scan))) {
    tabTo({ lists: "lists", code: "source", detail: "detail", canvas: "graph" }[part]);
    (part === "lists" ? $("lists").querySelector("[aria-current], a") : $(part)).focus();
  } else if (event.key === "n" || event.key === "p") step_in(...(D.proofs ? ["proof", D.proofs.length] : ["finding", D.findings.length]), event.key === "n" ? 1 : -1);
  else if (event.key === "]" || event.key === "[") step_in("test", D.tests.length, event.key === "]" ? 1 : -1);
  else if (event.key === "r") go("run");
  else if (event.key === "t") nextTheme();
  else if (event.key === "?") $("keys").showModal();
  else if (G && "+-=0".includes(event.key)) graphKey(event);
  else return;
  event.preventDefault();
}

function step_in(kind, count, way) {
  if (!count) return;
  const [now, at] = location.hash.slice(1).split("/");
  const from = now === kind ? Number(at) : way > 0 ? -1 : count;
  go(kind, (from + way + count) % count);
}

function go(...parts) {
  const hash = `#${parts.join("/")}`;
  if (location.hash !== hash) location.hash = hash;
  select();
}

let selected = null; // the address that is shown
function select() {
  selected = location.hash;
  const [kind, first, second] = location.hash.slice(1).split("/");
  const number = Number(first);
  let node = -1;
  if (kind === "finding") { showFinding(number); node = D.findings[number] ? origin(D.findings[number].test) : -1; }
  else if (kind === "test") { showTest(number); node = D.tests[number] ? origin(D.tests[number].name) : -1; }
  else if (kind === "state") { showState(number); node = G && G.at.has(number) ? G.at.get(number) : -1; }
  else if (kind === "proof" && D.proofs) showProof(number);
  else if (kind === "function") showFunction(number);
  else if (kind === "line") showLine(number, Number(second));
  else showRun();
  current(location.hash || "#run");
  if (G) choose(node);
  const small = matchMedia("(max-width: 760px)").matches;
  if (kind && small && !(kind === "state" && document.body.dataset.tab === "graph")) document.body.dataset.tab = "detail";
}

const origin = (name) => (D.graph && D.graph.origins[name] !== undefined ? D.graph.origins[name] : -1);
