// @ts-check
/** Where a list is scrolled to -> which of its rows are in the document: all rows have one height. */

/**
 * @param {number} top @param {number} height @param {number} row @param {number} count @param {number} [around]
 * @returns {{first: number, last: number, before: number, after: number}} rows first.., up to but without last
 */
export function windowOf(top, height, row, count, around = 12) {
  const start = Math.min(Math.max(0, Math.floor(top / row)), Math.max(0, count - 1));
  const shown = Math.ceil(height / row) + 1;
  const first = Math.max(0, start - around);
  const last = Math.min(count, start + shown + around);
  return { first, last, before: first * row, after: Math.max(0, count - last) * row };
}

/** The nearest scroll position at which a row is whole in sight. @param {number} top @param {number} height
 * @param {number} row @param {number} index @param {number} header what covers the first rows */
export function revealing(top, height, row, index, header) {
  const start = index * row;
  if (start < top) return start;
  return start + row + header > top + height ? start + row + header - height : top;
}
