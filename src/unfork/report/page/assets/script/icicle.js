// The execution graph on a canvas. Its layout comes from Python; here it is only drawn.
let G = null;
const view = { from: 0, to: 1, top: 0, row: 14, chosen: -1 };
let colours = {};
let pending = false;

function listenGraph() {
  const canvas = $("canvas");
  new ResizeObserver(() => { if (G) fitRows(); draw(); }).observe($("stage"));
  canvas.addEventListener("wheel", wheel, { passive: false });
  canvas.addEventListener("pointerdown", grab);
  canvas.addEventListener("pointermove", hover);
  canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
  canvas.addEventListener("dblclick", (event) => { const at = nodeAt(event); if (at >= 0) zoomTo(at); });
  canvas.addEventListener("keydown", graphKey);
  $("zoom-in").addEventListener("click", () => zoom(0.5));
  $("zoom-out").addEventListener("click", () => zoom(2));
  $("zoom-fit").addEventListener("click", fit);
}

function fillGraph() {
  const g = D.graph, before = G;
  const isEmpty = !g || !g.id.length;
  $("empty").hidden = !isEmpty;
  $("canvas").hidden = isEmpty;
  G = null;
  if (isEmpty) return;
  const ints = (name) => Int32Array.from(g[name]);
  const parent = ints("parent");
  for (let at = 0; at < parent.length; at += 1) parent[at] = parent[at] ? at - parent[at] : -1;
  G = { size: g.id.length, parent, id: ints("id"), level: ints("level"), x: ints("x"), width: ints("width"), end: ints("end"), worst: ints("worst"),
    place: ints("place"), born: ints("born"), detail: ints("detail"), test: ints("test"), depth: ints("depth"), instructions: g.instructions };
  G.next = new Int32Array(G.size); // the place after a node's last descendant
  G.deepest = new Int32Array(G.size); // the level of a node's deepest descendant
  G.columns = 0;
  G.levels = 0;
  for (let at = G.size - 1; at >= 0; at -= 1) {
    G.next[at] = Math.max(G.next[at], at + 1);
    G.deepest[at] = Math.max(G.deepest[at], G.level[at]);
    if (parent[at] >= 0) {
      G.next[parent[at]] = Math.max(G.next[parent[at]], G.next[at]);
      G.deepest[parent[at]] = Math.max(G.deepest[parent[at]], G.deepest[at]);
    }
    G.levels = Math.max(G.levels, G.level[at] + 1);
    G.columns = Math.max(G.columns, G.x[at] + G.width[at]);
  }
  G.at = new Map();
  for (let at = 0; at < G.size; at += 1) G.at.set(G.id[at], at);
  G.joinsOf = new Map();
  for (let at = 0; at < g.bridges.length; at += 2) {
    const child = g.bridges[at + 1];
    if (!G.joinsOf.has(child)) G.joinsOf.set(child, new Set([parent[child]]));
    G.joinsOf.get(child).add(g.bridges[at]);
  }
  G.coverOf = new Map();
  G.covering = new Map();
  for (const cover of g.covers) {
    G.coverOf.set(cover[0], cover);
    if (cover[1] >= 0) G.covering.set(cover[1], [...(G.covering.get(cover[1]) || []), cover[0]]);
  }
  const kinds = new Map();
  for (const end of G.end) kinds.set(end, (kinds.get(end) || 0) + 1);
  const legend = [...kinds].filter(([end]) => g.ends[end] !== "forked").sort((a, b) => b[1] - a[1]);
  $("legend").replaceChildren(...legend.map(([end, count]) =>
    el("span", { title: MEANINGS[g.ends[end]] || g.ends[end] }, swatch(g.ends[end]), `${g.ends[end]} `, el("b", { "data-end": g.ends[end] }, num(count)))));
  if (!before || (!view.from && view.to >= before.columns)) fit();
  repaint();
  fitRows();
}

function repaint() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["fine", "bad", "cover", "join", "moved", "left", "lost", "inner", "inner-2", "ink", "paper", "accent"]) {
    colours[name] = style.getPropertyValue(`--g-${name}`).trim();
  }
  draw();
}

/** Rows as high as there is room for, within reason; whoever zooms in sees fewer of them, and higher ones. */
function fitRows(anchor = 0) {
  const all = ($("stage").clientHeight - 4) / Math.max(G.levels, 1);
  const closer = Math.sqrt(G.columns / (view.to - view.from));
  const before = view.row;
  view.row = Math.max(1, Math.min(24, all * closer));
  const deepest = Math.max(0, G.levels * view.row + 8 - $("stage").clientHeight);
  view.top = Math.max(0, Math.min(((view.top + anchor) * view.row) / before - anchor, deepest));
}

function draw() {
  if (!G || pending) return;
  pending = true;
  requestAnimationFrame(() => { pending = false; paint(); });
}

function paint() {
  const canvas = $("canvas"), ratio = devicePixelRatio || 1;
  const width = $("stage").clientWidth, height = $("stage").clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const scale = width / (view.to - view.from), row = view.row;
  const gap = row > 7 ? 1 : 0;
  pen.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  pen.textBaseline = "middle";
  const kinds = D.graph.ends.map(classOf);
  let drawn = 0;
  let at = 0;
  const edge = new Float64Array(G.levels + 1).fill(-1); // how far each row is painted
  while (at < G.size) {
    const left = (G.x[at] - view.from) * scale, wide = G.width[at] * scale, right = left + wide;
    const top = G.level[at] * row - view.top;
    if (right < 0 || left > width || top > height) { at = G.next[at]; continue; }
    if (wide < 0.7) { // all below it is one thin column, in the colour of the worst end
      if (right > edge[G.level[at]]) {
        const x = Math.max(left, edge[G.level[at]]);
        const deep = (G.deepest[at] - G.level[at]) * row;
        pen.fillStyle = colours["inner-2"];
        pen.fillRect(x, top, 1, deep);
        pen.fillStyle = colours[kinds[G.worst[at]]];
        pen.fillRect(x, top + deep, 1, row - gap);
        edge[G.level[at]] = x + 1;
        drawn += 1;
      }
      at = G.next[at];
      continue;
    }
    if (top + row > 0) {
      const goesOn = G.next[at] > at + 1; // a state that was joined goes on as another one
      const kind = goesOn ? "inner" : kinds[G.end[at]], x = Math.max(left, -1), w = Math.min(right, width + 1) - x;
      pen.fillStyle = goesOn ? colours[G.level[at] % 2 ? "inner" : "inner-2"] : colours[kind];
      pen.fillRect(x, top, w - (wide > 4 ? 1 : 0), row - gap);
      if (goesOn && kinds[G.end[at]] === "join") {
        pen.fillStyle = colours.join;
        const thick = row > 9 ? 2 : 1;
        pen.fillRect(x, top + row - gap - thick, w - (wide > 4 ? 1 : 0), thick);
      }
      edge[G.level[at]] = right;
      drawn += 1;
      if (w > 34 && row > 12) label(pen, at, kind, x, top, w);
    }
    at += 1;
  }
  bridges(pen, scale, width, height);
  chosen(pen, scale);
  canvas.dataset.drawn = String(drawn);
  canvas.dataset.from = String(view.from);
  canvas.dataset.to = String(view.to);
}

function label(pen, at, kind, x, top, wide) {
  const where = place((kind !== "inner" && G.place[at]) || G.born[at]);
  const line = where.known ? String(where.line) : "";
  const long = kind === "inner" ? (line ? `${line} ${where.name}` : G.parent[at] < 0 ? "start" : "") : `${D.graph.ends[G.end[at]]} ${line}`;
  const room = Math.floor((wide - 8) / 6.7);
  const words = long.length <= room ? long : line.length <= room ? line : "";
  pen.fillStyle = kind === "inner" ? colours.ink : colours.paper;
  pen.fillText(words, x + 4, top + (view.row - 1) / 2 + 0.5);
}

/** Joins, as curves from each further parent to the joined state. */
function bridges(pen, scale, width, height) {
  const list = D.graph.bridges;
  pen.strokeStyle = colours.join;
  pen.lineWidth = 1;
  pen.beginPath();
  let count = 0;
  for (let each = 0; each < list.length && count < 20000; each += 2) {
    const from = list[each], to = list[each + 1];
    const x1 = (G.x[from] + G.width[from] / 2 - view.from) * scale, x2 = (G.x[to] + G.width[to] / 2 - view.from) * scale;
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > width || Math.abs(x1 - x2) < 1.5) continue;
    const y1 = (G.level[from] + 1) * view.row - view.top - 1, y2 = G.level[to] * view.row - view.top;
    if (Math.max(y1, y2) < 0 || Math.min(y1, y2) > height) continue;
    const bend = Math.max(view.row, Math.abs(y2 - y1) / 2);
    pen.moveTo(x1, y1);
    pen.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2);
    count += 1;
  }
  pen.globalAlpha = Math.min(0.6, Math.max(0.05, 120 / (count + 1))); // many of them are a texture
  pen.stroke();
  pen.globalAlpha = 1;
}

function chosen(pen, scale) {
  if (view.chosen < 0) return;
  pen.strokeStyle = colours.accent;
  pen.globalAlpha = 0.35;
  pen.fillStyle = colours.accent;
  for (let at = G.parent[view.chosen]; at >= 0; at = G.parent[at]) {
    pen.fillRect((G.x[at] - view.from) * scale, G.level[at] * view.row - view.top, Math.max(G.width[at] * scale - 1, 1), 2);
  }
  pen.globalAlpha = 1;
  const at = view.chosen, x = (G.x[at] - view.from) * scale, y = G.level[at] * view.row - view.top;
  pen.lineWidth = 2;
  pen.strokeRect(x, y, Math.max(G.width[at] * scale - 1, 3), view.row - 1);
  const cover = G.coverOf.get(at);
  if (cover && cover[1] >= 0) {
    const to = cover[1];
    pen.setLineDash([4, 3]);
    pen.beginPath();
    pen.moveTo(x + (G.width[at] * scale) / 2, y + view.row);
    pen.lineTo((G.x[to] + G.width[to] / 2 - view.from) * scale, G.level[to] * view.row - view.top);
    pen.stroke();
    pen.setLineDash([]);
  }
}

function nodeAt(event) {
  const box = $("canvas").getBoundingClientRect();
  const column = view.from + ((event.clientX - box.left) / box.width) * (view.to - view.from);
  const level = Math.floor((event.clientY - box.top + view.top) / view.row);
  let at = 0;
  while (at < G.size) {
    if (column < G.x[at] || column >= G.x[at] + G.width[at]) at = G.next[at];
    else if (G.level[at] === level) return at;
    else at += 1;
  }
  return -1;
}

function hover(event) {
  const tip = $("tip"), at = nodeAt(event);
  tip.hidden = at < 0;
  if (at < 0) return;
  const end = D.graph.ends[G.end[at]];
  tip.replaceChildren(el("b", null, `state ${num(G.id[at])}`), ` ${end === "forked" ? `${plural(G.width[at], "state")} below` : MEANINGS[end] || end}`, el("br"), placeText(G.born[at] || G.place[at]));
  const box = $("stage").getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  tip.style.left = `${Math.min(x + 12, box.width - tip.offsetWidth - 8)}px`;
  tip.style.top = `${y + 16 + tip.offsetHeight > box.height ? y - tip.offsetHeight - 8 : y + 16}px`;
}

function grab(event) {
  if (event.button) return;
  const canvas = $("canvas");
  let moved = 0, last = event;
  const drag = (next) => {
    moved += Math.abs(next.clientX - last.clientX) + Math.abs(next.clientY - last.clientY);
    const step = ((last.clientX - next.clientX) / canvas.clientWidth) * (view.to - view.from);
    pan(step, last.clientY - next.clientY);
    last = next;
  };
  const grip = new AbortController(), { signal } = grip;
  const drop = (next) => {
    grip.abort();
    if (next.type === "pointerup" && moved < 5) { const at = nodeAt(next); if (at >= 0) go("state", G.id[at]); }
  };
  canvas.setPointerCapture(event.pointerId);
  canvas.addEventListener("pointermove", drag, { signal });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(end, drop, { signal });
}

function wheel(event) {
  event.preventDefault();
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    pan(((event.deltaX || event.deltaY) / $("canvas").clientWidth) * (view.to - view.from), 0);
  } else {
    const box = $("canvas").getBoundingClientRect();
    zoom(Math.exp(event.deltaY / 300), (event.clientX - box.left) / box.width, event.clientY - box.top);
  }
}

function zoom(factor, where = 0.5, height = 0) {
  const middle = view.from + (view.to - view.from) * where;
  const wide = Math.min(Math.max((view.to - view.from) * factor, 2), G.columns);
  view.from = Math.max(0, Math.min(middle - wide * where, G.columns - wide));
  view.to = view.from + wide;
  fitRows(height);
  draw();
}

function pan(columns, pixels) {
  const wide = view.to - view.from;
  view.from = Math.max(0, Math.min(view.from + columns, G.columns - wide));
  view.to = view.from + wide;
  const deepest = Math.max(0, G.levels * view.row + 8 - $("stage").clientHeight);
  view.top = Math.max(0, Math.min(view.top + pixels, deepest));
  draw();
}

function fit() {
  view.from = 0;
  view.to = G.columns;
  view.top = 0;
  fitRows();
  draw();
}

function zoomTo(at) {
  view.from = G.x[at];
  view.to = G.x[at] + Math.max(G.width[at], 2);
  fitRows();
  intoView(at);
}

/** Choose a state, and bring it into view. */
function choose(at) {
  view.chosen = at;
  if (at < 0) return draw();
  const wide = view.to - view.from, middle = G.x[at] + G.width[at] / 2;
  if (middle < view.from || middle > view.to) {
    view.from = Math.max(0, Math.min(middle - wide / 2, G.columns - wide));
    view.to = view.from + wide;
  }
  intoView(at);
}

function intoView(at) {
  const top = G.level[at] * view.row, height = $("stage").clientHeight;
  if (height && (top < view.top || top + view.row > view.top + height)) view.top = Math.max(0, top - height / 2);
  draw();
}

function graphKey(event) {
  const at = view.chosen < 0 ? 0 : view.chosen;
  const moves = { ArrowUp: () => G.parent[at], ArrowDown: () => (at + 1 < G.next[at] ? at + 1 : -1), ArrowRight: () => beside(at, 1), ArrowLeft: () => beside(at, -1), Home: () => 0 };
  if (event.key in moves) {
    const to = view.chosen < 0 ? 0 : moves[event.key]();
    if (to >= 0) go("state", G.id[to]);
  } else if (event.key === "+" || event.key === "=") zoom(0.5, focus());
  else if (event.key === "-") zoom(2, focus());
  else if (event.key === "0") fit();
  else if (event.key === "Enter" && view.chosen >= 0) zoomTo(view.chosen);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Where in the view the chosen state is. */
function focus() {
  if (view.chosen < 0) return 0.5;
  return Math.min(Math.max((G.x[view.chosen] + G.width[view.chosen] / 2 - view.from) / (view.to - view.from), 0), 1);
}

/** The next node of the same level, in the order of columns. */
function beside(at, way) {
  for (let to = at + way; to >= 0 && to < G.size; to += way) if (G.level[to] === G.level[at]) return to;
  return -1;
}
