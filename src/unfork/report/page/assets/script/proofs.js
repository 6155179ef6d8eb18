// What unfork verify has proved: the head, the list and the details of proofs, in place of those of a run.
const ENDINGS = { proved: "fine", failed: "bad", open: "left", unknown: "lost" };
const ended = (obligations, ending) => obligations.filter((each) => each.ending === ending).length;

function fillProofsHead() {
  const all = D.proofs.flatMap((proof) => proof.obligations), failed = D.proofs.filter((proof) => proof.broken).length;
  fillStats([
    ["functions", num(D.proofs.length), ""],
    ["obligations", num(all.length), ""],
    ["proved", num(ended(all, "proved")), ""],
    failed ? ["broken", num(failed), "bad"] : null,
    ended(all, "open") ? ["open", num(ended(all, "open")), "warn"] : null,
    ended(all, "unknown") ? ["unknown", num(ended(all, "unknown")), "warn"] : null,
    ["time", seconds(D.summary.seconds), ""],
  ]);
}

function fillProofsLists() {
  const broken = D.proofs.map((proof, at) => ({ proof, at })).filter(({ proof }) => proof.broken);
  $("lists").replaceChildren(
    link("#run", "run", el("b", null, "The proofs"), el("span", { class: "text" }, "verdict, functions, what is assumed")),
    broken.length ? section("Broken contracts", broken.length, ...broken.map(({ proof, at }) => link(`#proof/${at}`, "error",
      el("b", null, proof.broken.kind), el("span", { class: "where" }, placeText(proof.broken.place)), el("span", { class: "text" }, proof.broken.call)))) : "",
    section("Functions", D.proofs.length, ...D.proofs.map((proof, at) => {
      const proved = ended(proof.obligations, "proved"), all = proof.obligations.length;
      return link(`#proof/${at}`, "function", el("b", null, proof.function), el("span", { class: "where" }, `${num(proved)}/${num(all)}`),
        el("span", { class: `meter ${proved === all ? "all" : proved ? "some" : "none-yet"}`, vars: { part: all ? proved / all : 1 } }));
    })),
    section("Hot spots", null, ...hot()),
  );
}

function showProofs() {
  const s = D.summary;
  markLines([]);
  const is_conditional = s.verdict === "safe" && s.assumptions.length > 0;
  detail([el("h2", null, "The proofs"), el("p", null, `unfork ${s.version}: ${s.verdict}${is_conditional ? ", if what is assumed is true" : ""}`)], s.verdict,
    D.troubles.length ? section("Not shown", null, notes(D.troubles)) : null,
    section("Functions", D.proofs.length, table(D.proofs.map((proof, at) => [el("a", { href: `#proof/${at}` }, proof.function), proof.verdict,
      `${num(ended(proof.obligations, "proved"))} of ${num(proof.obligations.length)}`, seconds(proof.seconds)]), ["", "verdict", "proved", "time"], "figures")),
    s.assumptions.length ? section("Assumed, not proved", s.assumptions.length, notes(s.assumptions)) : null);
}

const notes = (texts) => el("ul", { class: "notes" }, texts.map((each) => el("li", null, each)));

function showProof(number) {
  const proof = D.proofs[number];
  if (!proof) return showProofs();
  const broken = proof.broken;
  detail([el("p", { class: "kind" }, "function"), el("h2", null, proof.function),
    el("p", { class: "message" }, `${proof.verdict}${proof.cached ? ", as it was proved before" : ""}`)], broken ? "error" : "line",
    broken ? section("A call that breaks the contract", null, el("p", null, el("code", null, broken.call)),
      el("p", { class: "message" }, `${broken.kind}: ${broken.text}`, " at ", placeButton(broken.place))) : null,
    proof.reasons.length ? section("Not proved", proof.reasons.length, notes(proof.reasons)) : null,
    section("Obligations", proof.obligations.length, long(proof.obligations, obligation, "ol", "obligations", 100)),
    proof.inferred.length ? section("Inferred at joins", null, facts(proof.inferred)) : null,
    proof.assumptions.length ? section("Assumed, not proved", proof.assumptions.length, notes(proof.assumptions)) : null,
    proof.called.length ? section("Rests on the contracts of", proof.called.length, notes(proof.called)) : null,
    section("Figures", null, facts([...proof.figures.filter(([, value]) => value).map(([name, value]) => [name, num(value)]), ["time", seconds(proof.seconds)]])));
  const places = proof.obligations.map((each) => each.place);
  markLines(places);
  const there = place(broken ? broken.place : places.find((each) => place(each).known) || 0);
  if (there.known) reveal(there.file, there.line, true);
}

function obligation(each) {
  const by = each.by.length ? each.by.join(", ") : "simplifying";
  return el("li", null, el("div", { class: "obligation" }, el("i", { class: `swatch ${ENDINGS[each.ending]}`, title: each.ending }), placeButton(each.place, String(place(each.place).line || "")),
    el("b", null, each.kind), el("span", { class: "quiet" }, `${each.ending}, ${by}, ${plural(each.paths, "path")}, ${seconds(each.seconds)}`)),
    el("code", null, each.text), each.detail.length ? el("pre", null, each.detail.join("\n")) : null);
}

/** The obligations of one line, with the functions that have them. */
function obligationsAt(number, line) {
  const here = (D.proofs || []).flatMap((proof) => proof.obligations).filter((each) => place(each.place).file === number && place(each.place).line === line);
  return here.length ? section("Obligations", here.length, long(here, obligation, "ol", "obligations", 40)) : null;
}
