/** The page's files, and where its model is, over HTTP. It must not know any test. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const { APP_PORT = "4010", OPENAI_BASE_URL = "http://127.0.0.1:8437/v1", MODEL = "echo" } = process.env;
const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript" };
const CONFIG = JSON.stringify({ baseURL: OPENAI_BASE_URL, model: MODEL });

createServer(async ({ url }, answer) => {
  const { pathname } = new URL(url, "http://localhost"); // with no `..` left in it
  if (pathname === "/config.json") return answer.setHeader("content-type", "application/json").end(CONFIG);
  const name = pathname === "/" ? "/index.html" : pathname;
  const folder = name.startsWith("/modules/") ? "node_modules" : "app";
  try {
    const file = await readFile(new URL(`./${folder}${name.replace(/^\/modules/, "")}`, import.meta.url));
    answer.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream").end(file);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(Number(APP_PORT), "127.0.0.1");
