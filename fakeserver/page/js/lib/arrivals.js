// @ts-check
/** Reads, each with how much of the body there is with it -> when the last byte of each row of a plan had been read. */

/**
 * By row, in the reads' own unit. A row that has not come yet, or of which it cannot be told, has none.
 * @param {{at: number, total: number}[]} reads
 * @param {import("./plan.js").PlanRow[]} rows
 * @returns {Map<number, number>}
 */
export function arrivals(reads, rows) {
  const found = new Map();
  let read = 0;
  for (const { index, body, size } of rows) {
    if (!body || !size) continue;
    while (read < reads.length && reads[read].total < body) read++;
    if (read >= reads.length) break;
    found.set(index, reads[read].at);
  }
  return found;
}
