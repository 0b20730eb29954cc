// @ts-check
/** Sessions: what is in flight in them, the gates at which streams wait, and what is set up for the next requests. */

import { api } from "../api.js";
import { counted } from "../lib/format.js";
import { IN_FLIGHT } from "../lib/rows.js";
import { tell, useEvery } from "../parts/bits.js";
import { useStore } from "../store.js";
import { html, useEffect, useRef, useState } from "../ui.js";
import { SessionBox } from "./session.js";

/** @import { Session } from "../types.js" */

const SHOWN = 200; // sessions
const EVERY = 2000; // milliseconds between looks while nothing happens
const APART = 250; // and while much does

export function Desk() {
  const { sessions, look } = useSessions();
  const flying = useStore((state) => state.rows).filter((row) => row.ended === IN_FLIGHT);
  const streams = flying.length ? `${counted(flying.length, "stream")} in flight` : "Nothing is in flight.";
  const busiest = [...(sessions ?? [])]
    .reverse()
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, SHOWN);
  return html`<div class="desk">
    <h1 tabindex="-1">Desk</h1>
    <p class="faint">${streams} ${sessions && `· ${counted(sessions.length, "session")}`}</p>
    ${busiest.map((session) => {
      const rows = flying.filter((row) => row.session === session.id);
      return html`<${SessionBox} key=${session.id} session=${session} rows=${rows} again=${look} />`;
    })}
    ${sessions?.length === 0 && html`<p class="empty">No session yet: a first request to /session/ID/v1 makes one.</p>`}
  </div>`;
}

/** @param {Session} session */
function weight(session) {
  return Object.keys(session.gates).length * 1000 + session.in_flight;
}

/** As they are now: looked at whenever something happens, but no more often than it can be read. */
function useSessions() {
  const [sessions, setSessions] = useState(/** @type {Session[] | null} */ (null));
  const rows = useStore((state) => state.rows);
  const link = useStore((state) => state.link);
  const turn = useRef({ busy: false, again: false });
  const look = () => {
    if (link !== "live") return;
    if (turn.current.busy) return void (turn.current.again = true);
    turn.current = { busy: true, again: false };
    void api
      .sessions()
      .then((said) => setSessions(said.sessions), tell)
      .then(() => setTimeout(next, APART));
  };
  const next = () => {
    const { again } = turn.current;
    turn.current = { busy: false, again: false };
    if (again) look();
  };
  useEffect(look, [rows, link]);
  useEvery(look, EVERY, [link]);
  return { sessions, look };
}
