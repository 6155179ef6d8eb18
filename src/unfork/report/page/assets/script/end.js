function fill(data) {
  const before = D;
  D = data;
  if (before) keepSelected(before);
  const isChosen = !before && chooseFirst(), tab = document.body.dataset.tab;
  const kept = ["lists", "detail"].map((name) => [$(name), $(name).scrollTop]);
  fillHead();
  fillSource();
  fillLists();
  fillGraph();
  select();
  if (isChosen) document.body.dataset.tab = tab;
  for (const [part, top] of kept) part.scrollTop = top;
}

/** The page opens with the first finding that it tells of: of a scan, one that is certain; of proofs, a broken contract. */
function chooseFirst() {
  if (location.hash) return false;
  const [kind, at] = D.proofs ? ["proof", D.proofs.findIndex((proof) => proof.verdict === "unsafe")]
    : ["finding", D.findings.findIndex((finding) => !D.scan || finding.certainty === "certain")];
  if (at >= 0) history.replaceState(null, "", `#${kind}/${at}`);
  return at >= 0;
}

/** Newer data may number files and findings anew: what is selected and shown stays what it was. */
function keepSelected(before) {
  const renumbered = (list, key, number) => D[list].findIndex((each) => before[list][number] && each[key] === before[list][number][key]);
  const lists = { line: ["files", "name"], finding: ["findings", "test"], test: ["tests", "name"] };
  const [kind, number, ...rest] = location.hash.slice(1).split("/");
  const to = kind in lists ? renumbered(...lists[kind], Number(number)) : -1;
  if (to >= 0) history.replaceState(null, "", `#${[kind, to, ...rest].join("/")}`);
  if (latest) latest = [renumbered("files", "name", latest[0]), latest[1]];
  file = renumbered("files", "name", file);
}

async function begin() {
  const data = await (isLive ? beginLive() : unpack());
  listenKeys();
  listenSource();
  listenGraph();
  fill(data);
  requestAnimationFrame(() => requestAnimationFrame(() => { document.body.dataset.ready = String(Math.round(performance.now())); }));
}
begin().catch((problem) => {
  document.querySelector("main").replaceChildren(el("p", { class: "none" }, `This page cannot be shown: ${problem.message}`));
  throw problem;
});
})();
