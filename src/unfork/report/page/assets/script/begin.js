// Data, elements and numbers. The parts of the script are put together in Python, inside one function.
(() => {
"use strict";

const $ = (id) => document.getElementById(id);

/** An element; everything of the program goes in as text. */
function el(tag, options, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(options || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === "vars") for (const [key, each] of Object.entries(value)) node.style.setProperty(`--${key}`, each);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== "") node.append(child);
  return node;
}

/** A whole number with commas; very large ones come as text. */
const num = (value) => (typeof value === "string" ? value : String(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const big = (value) => {
  const text = num(value);
  if (text.length <= 15) return text;
  const digits = String(value);
  return `${digits[0]}.${digits.slice(1, 3)}e${digits.length - 1}`;
};
const plural = (count, word) => `${num(count)} ${word}${Number(count) === 1 ? "" : /(s|x|ch)$/.test(word) ? "es" : "s"}`;
const seconds = (value) => (!value ? "0 s" : value < 0.1 ? `${(1000 * value).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`);

async function unpack() {
  const packed = atob($("data").textContent.trim());
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) bytes[at] = packed.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

let D = null; // the data

const place = (number) => {
  const [file, line, name] = D.places[number];
  return { file, line, name, known: file >= 0 };
};
const base = (name) => name.slice(name.lastIndexOf("/") + 1);
const placeText = (number) => {
  const at = place(number);
  return at.known ? `${base(D.files[at.file].name)}:${at.line}` : "unknown place";
};

/** A place as a link that shows the line and leaves the selection alone. */
function placeButton(number, text) {
  const at = place(number);
  const words = text === undefined ? placeText(number) : text;
  if (!at.known) return el("span", { class: "place" }, words);
  const title = `${D.files[at.file].name}:${at.line}${at.name ? ` in ${at.name}` : ""}`;
  return el("button", { class: "place", type: "button", title, on: { click: () => reveal(at.file, at.line) } }, words);
}

const MEANINGS = {
  exit: "ended by itself", silent: "ended where an assumption fails", abort: "aborted", error: "failed", covered: "covered by another state",
  joined: "joined with another state", moved: "went on in another process", left: "left waiting",
  dropped: "dropped for lack of memory", bounded: "cut at a bound", forked: "forked",
};
const CLASSES = { exit: "fine", abort: "fine", silent: "moved", error: "bad", covered: "cover", joined: "join",
  moved: "moved", left: "left", dropped: "left", bounded: "left", forked: "inner" };
const classOf = (end) => CLASSES[end] || "lost";

function section(title, count, ...children) {
  const head = el("h2", null, title, count === null ? null : el("span", { class: "count" }, num(count)));
  return el("section", null, head, ...children);
}

function table(rows, headings, kind) {
  const body = rows.map((row) => el("tr", null, row.map((cell) => el("td", null, cell))));
  const head = headings ? el("thead", null, el("tr", null, headings.map((each) => el("th", null, each)))) : null;
  return el("table", { class: kind }, head, el("tbody", null, body));
}

function facts(rows) {
  return el("dl", { class: "facts" }, rows.filter((row) => row).flatMap(([name, value]) => [el("dt", null, name), el("dd", null, value)]));
}

/** A list whose tail is made only when it is asked for. */
function long(items, make, tag, kind, first = 200) {
  const list = el(tag, { class: kind }, items.slice(0, first).map(make));
  if (items.length <= first) return list;
  let shown = first;
  const more = el("button", { class: "more", type: "button" }, `${num(items.length - first)} more`);
  more.addEventListener("click", () => {
    const next = items.slice(shown, shown + 2000);
    list.append(...next.map((item, at) => make(item, shown + at)));
    shown += next.length;
    if (shown >= items.length) more.remove();
    else more.textContent = `${num(items.length - shown)} more`;
  });
  return el("div", null, list, more);
}
