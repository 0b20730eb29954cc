// @ts-check
/** Numbers -> short texts for people: moments, sizes, counts. */

/** Nanoseconds, three figures at most: 0, 12 µs, 3.4 ms, 2.5 s, 1 m 5 s. @param {number | null | undefined} ns */
export function span(ns) {
  if (ns === null || ns === undefined) return "";
  const size = Math.abs(ns);
  if (size === 0) return "0";
  if (size < 1e3) return `${ns} ns`;
  if (size < 1e6) return `${figures(ns / 1e3)} µs`;
  if (size < 1e9) return `${figures(ns / 1e6)} ms`;
  if (size < 60e9) return `${figures(ns / 1e9)} s`;
  const seconds = Math.round(size / 1e9);
  return `${ns < 0 ? "-" : ""}${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** @param {number} value */
function figures(value) {
  return String(Number(value.toPrecision(3)));
}

/** @param {number | null | undefined} count */
export function size(count) {
  if (count === null || count === undefined) return "";
  if (count < 1000) return `${count} B`;
  const [value, unit] = count < 1e6 ? [count / 1e3, "kB"] : [count / 1e6, "MB"];
  return `${figures(value)} ${unit}`;
}

/** 10000 -> 10,000. @param {number} count */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Nanoseconds since 1970 -> the time of day here, with milliseconds. @param {number} at */
export function clock(at) {
  const date = new Date(at / 1e6);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
