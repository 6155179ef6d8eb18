function fill(data) {
  const before = D;
  D = data;
  if (before) keepSelected(before);
  const kept = ["lists", "detail"].map((name) => [$(name), $(name).scrollTop]);
  fillHead();
  fillSource();
  fillLists();
  fillGraph();
  select();
  for (const [part, top] of kept) part.scrollTop = top;
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
