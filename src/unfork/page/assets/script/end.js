function fill(data) {
  D = data;
  const kept = ["lists", "detail"].map((name) => [$(name), $(name).scrollTop]);
  fillHead();
  fillSource();
  fillLists();
  fillGraph();
  select();
  for (const [part, top] of kept) part.scrollTop = top;
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
