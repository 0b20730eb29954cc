// @ts-check
/** Planned writes, framing and all -> how many bytes of the body, as a browser gives them, each of them completes. */

/**
 * One number a write; null where it cannot be told: the body is coded, or its framing is scripted to be wrong.
 * @param {{part: string, data: Uint8Array}[]} writes @returns {number[] | null}
 */
export function bodySizes(writes) {
  const head = text(writes.filter((write) => write.part === "head").map((write) => write.data));
  if (/\r\ncontent-encoding:/i.test(head)) return null;
  const walk = /\r\ntransfer-encoding: *chunked/i.test(head) ? new Chunked() : new Plain();
  const sizes = [];
  for (const { part, data } of writes) {
    sizes.push(part === "head" ? 0 : walk.take(data));
    if (walk.wrong) return null;
  }
  return sizes;
}

class Plain {
  wrong = false;
  /** @param {Uint8Array} data */
  take(data) {
    return data.length;
  }
}

/** A reader of chunked framing that only counts. */
class Chunked {
  wrong = false;
  #line = "";
  #left = 0; // of this chunk's bytes, and then of the line end behind it
  #over = false;

  /** @param {Uint8Array} data */
  take(data) {
    let body = 0;
    for (let i = 0; i < data.length && !this.#over;) {
      if (this.#left > 2) {
        const size = Math.min(this.#left - 2, data.length - i);
        body += size;
        this.#left -= size;
        i += size;
      } else if (this.#left > 0) {
        this.#left -= 1;
        i += 1;
      } else this.#sizeLine(data[i++]);
    }
    return body;
  }

  /** @param {number} byte */
  #sizeLine(byte) {
    if (byte !== 10) {
      this.#line += String.fromCharCode(byte);
      return;
    }
    const size = /^([0-9a-f]+) *(?:;.*)?\r$/i.exec(this.#line);
    this.#line = "";
    if (!size) this.wrong = this.#over = true;
    else if (parseInt(size[1], 16) === 0) this.#over = true;
    else this.#left = parseInt(size[1], 16) + 2;
  }
}

/** @param {Uint8Array[]} parts */
function text(parts) {
  return parts.map((part) => String.fromCharCode(...part.subarray(0, 65536))).join("");
}
