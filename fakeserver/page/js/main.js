// @ts-check
/** The page begins here: the address chooses the view, and around it stands what is always there. */

import { takeToken } from "./api.js";
import { begin, loadJournal, loadLibrary } from "./data.js";
import { parse } from "./lib/route.js";
import { follow } from "./live.js";
import { Banner, Notice, TokenPrompt, Top } from "./parts/frame.js";
import { useStore } from "./store.js";
import { html, render, useEffect, useState } from "./ui.js";
import { onKey } from "./keys.js";
import { Desk } from "./views/desk.js";
import { Journal } from "./views/journal.js";
import { Library } from "./views/library.js";

/**
 * @type {Record<string, {title: string, section: string, view: (props: {route: import("./lib/route.js").Route}) =>
 *   any}>}
 */
const VIEWS = {
  library: { title: "Library", section: "library", view: Library },
  scenarios: { title: "Library", section: "library", view: Library },
  journal: { title: "Journal", section: "journal", view: Journal },
  requests: { title: "Journal", section: "journal", view: Journal },
  desk: { title: "Desk", section: "desk", view: Desk },
};

/** @param {{again: () => void}} props */
function App({ again }) {
  const [route, setRoute] = useState(() => parse(location.hash));
  const locked = useStore((state) => state.locked);
  const { title, section, view } = VIEWS[route.parts[0]] ?? VIEWS.library;
  useEffect(() => {
    const changed = () => setRoute(parse(location.hash));
    addEventListener("hashchange", changed);
    addEventListener("keydown", onKey);
    return () => (removeEventListener("hashchange", changed), removeEventListener("keydown", onKey));
  }, []);
  const name = VIEWS[route.parts[0]] && route.parts[1];
  useEffect(() => void (document.title = `${name || title} · fakeserver`), [name, title]);
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <${Top} section=${section} />
    <${Banner} />
    <main id="main" tabindex="-1">${
      locked
        ? html`<${TokenPrompt} again=${again} />`
        : html`<${view} key=${section}
      route=${route} />`
    }</main>
    <${Notice} />`;
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault(); // the address is the view's
  document.getElementById("main")?.focus();
}

function opened() {
  void loadLibrary();
  void loadJournal();
}

takeToken();
begin();
const again = follow(opened);
render(html`<${App} again=${again} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
