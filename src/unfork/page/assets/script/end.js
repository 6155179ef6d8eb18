async function begin() {
  D = await unpack();
  beginHead();
  beginKeys();
  beginSource();
  beginLists();
  beginGraph();
  const first = D.findings.length && place(D.findings[0].place).known ? place(D.findings[0].place).file : D.files.findIndex((each) => each.status !== "library");
  show(Math.max(first, 0));
  select();
  requestAnimationFrame(() => requestAnimationFrame(() => { document.body.dataset.ready = String(Math.round(performance.now())); }));
}
begin().catch((problem) => {
  document.querySelector("main").replaceChildren(el("p", { class: "none" }, `This page cannot be shown: ${problem.message}`));
  throw problem;
});
})();
