import assert from "node:assert/strict";
import test from "node:test";
import { bodySizes } from "../../../fakeserver/page/js/lib/body.js";
import { characterAt, fromBase64, hexRows, pieces } from "../../../fakeserver/page/js/lib/bytes.js";

const bytes = (text) => new TextEncoder().encode(text);
const shown = (data) => pieces(data).map(({ kind, text }) => `${kind}:${text}`);

test("text is itself, controls have names, a character cut in two is hex", () => {
  assert.deepEqual(shown(bytes("naïve 🌍")), ["text:naïve 🌍"]);
  assert.deepEqual(shown(bytes("a\r\n\tb\0")), ["text:a", "control:\\r\\n\\t", "text:b", "control:NUL"]);
  assert.deepEqual(shown(bytes("🌍").subarray(0, 3)), ["hex:f0 9f 8c"]);
  assert.deepEqual(shown(bytes("é!").subarray(1)), ["hex:a9", "text:!"]);
});

test("what looks like nothing is named", () => {
  assert.deepEqual(shown(bytes("a\u200bb")), ["text:a", "hidden:U+200B", "text:b"]);
  assert.deepEqual(shown(bytes("\ufeffx")), ["hidden:U+FEFF", "text:x"]);
});

test("every byte is shown once, whatever the bytes", () => {
  for (let round = 0; round < 200; round++) {
    const data = Uint8Array.from({ length: 40 }, (_, i) => (round * 73 + i * i * 31 + i * 7) & 255);
    const whole = [];
    for (let at = 0; at < data.length;) {
      const length = Math.max(1, characterAt(data, at));
      whole.push(...data.subarray(at, at + length));
      at += length;
    }
    assert.deepEqual(Uint8Array.from(whole), data);
    // The platform's decoder is the referee: a whole character decodes, what is hex here does not.
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    for (let at = 0; at < data.length; at++) {
      const length = characterAt(data, at);
      if (length) strict.decode(data.subarray(at, at + length));
      else
        for (const size of [1, 2, 3, 4])
          assert.throws(() => strict.decode(data.subarray(at, Math.min(data.length, at + size))));
    }
  }
});

test("hex rows", () => {
  const [first, second] = hexRows(bytes("0123456789abcdef\n"));
  assert.deepEqual([first.at, first.text], ["000000", "0123456789abcdef"]);
  assert.deepEqual(second, { at: "000010", hex: "0a", text: "·" });
  assert.deepEqual([...fromBase64("/wA=")], [255, 0]);
});

const write = (part, text) => ({ part, data: bytes(text) });
const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

test("the body's bytes of each write are counted through the framing", () => {
  assert.deepEqual(
    bodySizes([write("head", HEAD), write("body", "5\r\nHello\r\n"), write("body", "0\r\n\r\n")]),
    [0, 5, 0],
  );
  assert.deepEqual(
    bodySizes([
      write("head", HEAD),
      write("body", "1"),
      write("body", "0\r\n0123456789abc"),
      write("body", "def\r\n0\r\n\r\n"),
    ]),
    [0, 0, 13, 3],
  );
  assert.deepEqual(
    bodySizes([write("head", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"), write("body", "abc")]),
    [0, 3],
  );
});

test("where it cannot be told it is not guessed", () => {
  assert.equal(bodySizes([write("head", HEAD), write("body", "zz\r\nHello")]), null);
  assert.equal(
    bodySizes([write("head", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n"), write("body", "x")]),
    null,
  );
});
