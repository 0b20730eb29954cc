// @ts-check
/** What the control API says, as types. No code: only comments import this. */

/**
 * @typedef {{name: string, kind: string, about: string | null, tags: string[], source: string[], protocol: string,
 *   dialect: string | null, file: string}} Scenario
 * @typedef {{file: string, line: number, column: number, severity: string, code: string, message: string,
 *   remedy: string}} Problem
 * @typedef {{do: "write" | "gate" | "end", due_ns: number, part?: string, events?: number, marks_end?: boolean,
 *   gap_ns?: number, base64?: string, text?: string, name?: string, kind?: string, keep_alive?: boolean}} Action
 * @typedef {{selector: string, about: string | null, status: number | null, actions: Action[],
 *   idle: {every_ns: number, base64: string, text: string} | null}} Timeline
 * @typedef {Scenario & {yaml: string, timeline: Timeline | null, problems: Problem[], attempts?: number}} Whole
 *
 * @typedef {{number: number, session: string, at: number, method: string, path: string, scenario: string,
 *   attempt: number, why: string, status: number | null, unmatched: boolean, how: string, ended: string,
 *   events: number, bytes: number, took_ns: number | null, lateness_p99_ns: number | null, gate?: string | null}} Row
 * @typedef {{field: string, wanted: any, got: any, missing: boolean, said: string}} Difference
 * @typedef {{scenario: string, file: string, line: number, conditions: number, differences: Difference[]}} Near
 * @typedef {{reason: string, message: string, nearest: Near[]}} Unmatched
 * @typedef {{how: string, at: number, kind: string | null, by: string | null, acked: number | null,
 *   detail: string}} Ending
 * @typedef {{number: number, session: string, at: number, scenario: string, attempt: number, why: string,
 *   status: number | null, retry_after: number | null, unmatched: Unmatched | null, writes: number, bytes: number,
 *   events: number, stalled_ns: number, lockstep: string | null,
 *   request: {method: string, path: string, headers: Record<string, string>, body: string, body_size: number},
 *   lateness_ns: {p50: number, p99: number, max: number}, times_ns: [number, number][],
 *   gates: {gate: string, at: number}[], how: string, ending: Ending | null, timeline?: Timeline | null,
 *   gate?: string | null, held?: boolean}} RequestRecord
 * @typedef {{id: string, in_flight: number, use: string | null, queue: {scenario: string, times: number}[],
 *   scenarios: string[], gates: Record<string, number>, hold: boolean, clock: string, speed: number | "instant",
 *   counts: Record<string, number>, records: number, base_url: string, dialect?: string | null}} Session
 * @typedef {{code: string, says: string}} Finding
 * @typedef {{name: string, about: string | null}} Named
 * @typedef {{kind: string, data: any}} Told
 */

export {};
