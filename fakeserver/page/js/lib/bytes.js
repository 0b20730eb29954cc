// @ts-check
/** Bytes -> what can be shown of them exactly: text where they are text, names for controls, hex for the rest. */

const NAMES = new Map([
  [0, "NUL"],
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [27, "ESC"],
  [127, "DEL"],
]);
// Characters that look like nothing, or like another, and change what is around them.
const HIDDEN = /(?! )[\p{C}\p{Z}\u034f\u115f\u1160\u3164\ufe00-\ufe0f\uffa0]/u;

/** @typedef {{kind: "text" | "control" | "hidden" | "hex", text: string}} Piece */

/** @param {string | undefined} base64 */
export function fromBase64(base64) {
  const text = atob(base64 ?? "");
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * Every byte once, in order, so far as `limit`.
 * @param {Uint8Array} bytes
 * @param {number} [limit]
 * @returns {Piece[]}
 */
export function pieces(bytes, limit = bytes.length) {
  /** @type {Piece[]} */
  const found = [];
  const end = Math.min(bytes.length, limit);
  for (let i = 0; i < end;) {
    const length = characterAt(bytes, i);
    add(found, bytes.subarray(i, i + Math.max(1, length)), length > 0);
    i += Math.max(1, length);
  }
  return found;
}

/** @param {Piece[]} found @param {Uint8Array} bytes @param {boolean} whole */
function add(found, bytes, whole) {
  if (!whole) return join(found, "hex", bytes[0].toString(16).padStart(2, "0"), " ");
  const code = bytes[0];
  if (code < 32 || code === 127) {
    return join(found, "control", NAMES.get(code) ?? `\\x${code.toString(16).padStart(2, "0")}`, "");
  }
  const text = DECODER.decode(bytes);
  if (HIDDEN.test(text))
    return join(found, "hidden", `U+${text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`, " ");
  return join(found, "text", text, "");
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** @param {Piece[]} found @param {Piece["kind"]} kind @param {string} text @param {string} between */
function join(found, kind, text, between) {
  const last = found[found.length - 1];
  if (last && last.kind === kind) last.text += between + text;
  else found.push({ kind, text });
}

/**
 * How many bytes the whole UTF-8 character here has; 0 where there is none.
 * @param {Uint8Array} bytes
 * @param {number} at
 */
export function characterAt(bytes, at) {
  const first = bytes[at];
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (!length || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i] & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1];
  const wrong =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

/** Sixteen a row. @param {Uint8Array} bytes @param {number} [limit] */
export function hexRows(bytes, limit = bytes.length) {
  const rows = [];
  for (let at = 0; at < Math.min(bytes.length, limit); at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    rows.push({
      at: at.toString(16).padStart(6, "0"),
      hex: part.map((byte) => byte.toString(16).padStart(2, "0")).join(" "),
      text: part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return rows;
}

/** @param {Uint8Array[]} parts */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
