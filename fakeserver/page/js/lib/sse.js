// @ts-check
/** Bytes of an event stream, as they arrive -> its events. It must not know what the events say. */

/**
 * `end` is how many bytes of the stream there were when the event was whole; `comment` alone where it was one.
 * @typedef {{event: string, data: string, id: string | null, retry: string | null, comment: string | null,
 *   end: number}} SseEvent
 */

export class SseReader {
  #decoder = new TextDecoder(); // it drops a BOM at the start, as the standard says
  #line = "";
  #cr = false; // the last line ended in CR: a LF right behind it is the same end
  #fields = blank();
  #filled = false;
  #size = 0;

  /** Events that are whole with these bytes. @param {Uint8Array} bytes @returns {SseEvent[]} */
  take(bytes) {
    this.#size += bytes.length;
    /** @type {SseEvent[]} */
    const events = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const char = text.charCodeAt(i);
      if (char === 10 && this.#cr) start = i + 1;
      else if (char === 10 || char === 13) {
        this.#end(this.#line + text.slice(start, i), events);
        this.#line = "";
        start = i + 1;
      }
      this.#cr = char === 13;
    }
    this.#line += text.slice(start);
    return events;
  }

  /** What came after the last whole event: what a reader must throw away. */
  get rest() {
    const begun = this.#filled ? `${this.#fields.data}\n` : "";
    return begun + this.#line;
  }

  /** @param {string} line @param {SseEvent[]} events */
  #end(line, events) {
    if (line === "") {
      if (this.#filled) events.push({ ...this.#fields, data: this.#fields.data.replace(/\n$/, ""), end: this.#size });
      this.#fields = blank();
      this.#filled = false;
    } else if (line.startsWith(":")) {
      events.push({ ...blank(), comment: line.slice(1).replace(/^ /, ""), end: this.#size });
    } else this.#field(line);
  }

  /** @param {string} line */
  #field(line) {
    const [, name, value] = /** @type {RegExpExecArray} */ (/^([^:]*)(?:: ?)?(.*)$/su.exec(line));
    this.#filled = true;
    if (name === "data") this.#fields.data += `${value}\n`;
    else if (name === "event") this.#fields.event = value;
    else if (name === "id") this.#fields.id = value;
    else if (name === "retry") this.#fields.retry = value;
  }
}

function blank() {
  return {
    event: "",
    data: "",
    id: /** @type {string | null} */ (null),
    retry: /** @type {string | null} */ (null),
    comment: /** @type {string | null} */ (null),
  };
}
