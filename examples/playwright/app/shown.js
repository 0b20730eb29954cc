/** The parts of an answer -> what is seen of it. It must not know where they come from. */

const CUT_SHORT = {
  length: "Cut short: the answer has reached its greatest length.",
  content_filter: "Cut short by the content filter.",
};

export function question(text) {
  return element("article", { className: "you", ariaLabel: "You", textContent: text });
}

/** One answer on the page. */
export class Shown {
  /** `again` is called when it shall be asked for once more. */
  constructor(again) {
    this.article = element("article", { className: "model", ariaLabel: "Model" });
    this.again = again;
  }

  begin() {
    this.article.ariaBusy = "true";
    this.text = element("p", { className: "text" });
    this.refusal = undefined;
    this.calls = [];
    this.article.replaceChildren(this.text);
  }

  add({ text, refusal, call, end, reason }) {
    if (text) this.text.append(text);
    if (refusal) this.#refuse(refusal);
    if (call) this.#call(call);
    if (end) this.#end(end, reason);
  }

  #refuse(text) {
    this.refusal ??= this.#put("p", { className: "refusal", role: "note", ariaLabel: "Refusal" });
    this.refusal.append(text);
  }

  #call({ index, name, arguments: said }) {
    const call = (this.calls[index] ??= this.#put("figure", { className: "call", role: "group" }));
    if (!call.firstChild) call.append(element("strong"), element("code"));
    call.firstChild.append(name);
    call.lastChild.append(said);
    call.ariaLabel = `Call of ${call.firstChild.textContent}`;
  }

  #end(end, reason) {
    this.article.ariaBusy = "false";
    const quiet = end === "stopped" ? "Stopped." : end === "complete" ? CUT_SHORT[reason] : undefined;
    if (quiet) this.#put("p", { className: "end", role: "status", textContent: quiet });
    if (end === "truncated") this.#broken(`Cut off. ${reason}`);
    if (end === "failed") this.#broken(`Failed. ${reason}`);
  }

  #broken(textContent) {
    const again = element("button", { type: "button", textContent: "Try again", onclick: this.again });
    this.#put("p", { className: "end", role: "alert", textContent }).append(again);
  }

  #put(tag, more) {
    const put = element(tag, more);
    this.article.append(put);
    return put;
  }
}

function element(tag, more = {}) {
  return Object.assign(document.createElement(tag), more);
}
