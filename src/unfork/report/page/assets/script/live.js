// A run that goes on: its readings come as events, its data is fetched again when there is more.
const isLive = document.documentElement.dataset.live !== undefined;
const EVERY = 2000; // milliseconds between two looks at the data, at the least
const ORDERS = { stop: "Stopping", tests: "Writing tests" };

async function fetched() {
  for (;;) {
    const response = await fetch("data", { cache: "no-store" });
    if (response.ok) return new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
    await new Promise((resolve) => setTimeout(resolve, EVERY)); // nothing is written yet
  }
}

async function beginLive() {
  $("live").hidden = false;
  let isOver = false, isFetching = false, seen = "", due = 0;
  const refresh = async () => {
    isFetching = true;
    try {
      fill(await fetched());
    } catch (problem) {
      $("reading").textContent = `${isOver ? "The run is over, and its last figures" : "New figures"} cannot be had (${problem.message}): what is shown is older. unfork report writes the page of a run that is over.`;
    } finally {
      isFetching = false;
      due = Date.now() + EVERY;
    }
  };
  const events = new EventSource("events");
  events.addEventListener("message", (event) => {
    const now = JSON.parse(event.data);
    tellReading(now);
    const stands = [now.errors, now.tests, now.branches_met, now.paths].join();
    if (D && stands !== seen && !isFetching && Date.now() > due && !held()) {
      seen = stands;
      refresh();
    }
  });
  events.addEventListener("over", () => {
    isOver = true;
    events.close();
    $("live").className = "over";
    $("reading").textContent = "The run is over.";
    for (const name of Object.keys(ORDERS)) $(name).disabled = true;
    const last = () => (isFetching ? setTimeout(last, 50) : refresh());
    last();
  });
  events.addEventListener("error", () => {
    if (!isOver) $("reading").textContent = "The run cannot be reached; what is shown is as it was.";
  });
  for (const [name, words] of Object.entries(ORDERS)) $(name).addEventListener("click", () => {
    $("said").textContent = `${words} ...`;
    fetch(name, { method: "POST", headers: { "X-Unfork": name } }).catch(() => { $("said").textContent = "The run did not hear it."; });
    setTimeout(() => { $("said").textContent = ""; }, 4000);
  });
  return fetched();
}

/** Whether the reader is dragging or choosing something that new data would take away. */
const held = () => document.hidden || getSelection().toString() !== "" || document.querySelector("dialog[open]") !== null;

function tellReading(now) {
  const parts = [seconds(now.seconds), now.left === null ? "" : `${now.left.toFixed(0)} s left`,
    plural(now.states, "state") + " waiting", plural(now.paths, "path"), plural(now.errors, "error"), plural(now.tests, "test"),
    `${num(now.branches_met)} of ${num(now.branches)} branches met${now.idle >= 5 ? `, none new for ${now.idle.toFixed(0)} s` : ""}`,
    `${num(now.queries)} queries (${(100 * now.solving).toFixed(0)} % of time)`,
    ...(now.threads > 1 ? [`${now.threads} threads, ${num(now.blocked)} executions cut short`] : []),
    `${num(now.megabytes)}${now.most_megabytes === null ? "" : ` of ${num(now.most_megabytes)}`} MB`, ...now.strategies];
  $("reading").textContent = parts.filter((part) => part).join(" \u00b7 ");
}
