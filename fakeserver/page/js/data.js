// @ts-check
/** Live events and pages of the journal -> the store's rows; the library, and what is said when it changes. */

import { Refused, api, words } from "./api.js";
import { counted } from "./lib/format.js";
import { after, merged } from "./lib/rows.js";
import { listen } from "./live.js";
import { change, nextFrame, state } from "./store.js";

/** @import { Row, Told } from "./types.js" */

export const KEPT = 20_000; // rows; the server keeps fewer
const PAGE = 1000;

/** @type {Told[]} */
let waiting = []; // told since the last frame
/** @type {Told[]} */
let meanwhile = []; // told while pages are on their way: a page may be older than what it is put beside
let load = 0;

export function begin() {
  listen((told) => {
    if (told.kind === "lost") return void loadJournal();
    if (told.kind === "library") return void libraryTold(told.data);
    if (told.kind === "reset") change({ notice: `Session ${told.data.session} was reset.` });
    waiting.push(told);
    nextFrame(take);
  });
}

function take() {
  if (state.loading) meanwhile.push(...waiting);
  change({ rows: after(state.rows, waiting, KEPT) });
  waiting = [];
}

/** @param {any} data */
async function libraryTold(data) {
  if (data.ok) await loadLibrary();
  const notice = data.ok ? `The library was loaded again: ${counted(data.scenarios, "scenario")}.` : "";
  change({ problems: data.problems, notice, library: state.library + 1 });
}

export async function loadLibrary() {
  try {
    const [health, { scenarios }, { overlays }, { dialects }] = await Promise.all([
      api.health(),
      api.scenarios(),
      api.overlays(),
      api.dialects(),
    ]);
    change({
      scenarios,
      overlays,
      dialects,
      version: health.version,
      problems: health.problems,
      library: state.library + 1,
    });
  } catch (problem) {
    said(problem);
  }
}

/** The newest page takes the place of what was there, the older ones come after it. */
export async function loadJournal() {
  const mine = ++load;
  [waiting, meanwhile] = [[], []];
  change({ loading: true });
  try {
    let before = "";
    for (let more = true, first = true; more && mine === load; first = false) {
      const page = await api.journal({ limit: String(PAGE), ...(before && { before }) });
      if (mine !== load) return;
      put(page.records, page.dropped, first);
      more = page.more && page.records.length > 0 && state.rows.length < KEPT;
      before = String(page.records.at(-1)?.number ?? "");
    }
  } catch (problem) {
    said(problem);
  }
  if (mine === load) change({ loading: false });
}

/** @param {Row[]} page @param {number} dropped @param {boolean} first */
function put(page, dropped, first) {
  const rows = first ? page : merged(state.rows, page);
  change({ rows: after(rows, [...meanwhile, ...waiting], KEPT), dropped });
}

/** @param {unknown} problem */
function said(problem) {
  const down = problem instanceof Refused && problem.status === 0; // the banner says it
  if (!down) change({ notice: words(problem) });
}
