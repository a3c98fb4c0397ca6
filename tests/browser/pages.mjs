/**
 * Serves the pages of a folder in front of a Carrel that has others built in, so that a change of a page needs no build
 * of the binary: `node tests/browser/pages.mjs <port> <url of Carrel> [folder]` by hand, `CARREL_PAGES=web/dist` for the tests.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** What Carrel sends with its own pages goes with these as well, above all the content security policy. */
const TAKEN = ["content-security-policy", "x-content-type-options", "referrer-policy"];

export async function servePages(folder, carrel, port = 0) {
  const { headers } = await fetch(carrel);
  const taken = TAKEN.flatMap((name) => {
    const value = headers.get(name);
    return value ? [[name, value]] : [];
  });
  const server = createServer((call, answer) => {
    const file = fileFor(folder, call);
    if (!file) return pass(call, answer, carrel);
    answer.writeHead(200, { "content-type": TYPES[extname(file)], ...Object.fromEntries(taken) });
    answer.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const stop = () => server.close();
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** The file of the folder for a call; a page of the application is its index. Everything else is Carrel's. */
function fileFor(folder, { method, url, headers }) {
  if (method !== "GET") return undefined;
  const { pathname } = new URL(url, "http://pages");
  const file = join(folder, pathname);
  if (TYPES[extname(pathname)]) return existsSync(file) ? file : undefined;
  return headers.accept?.includes("text/html") ? join(folder, "index.html") : undefined;
}

function pass(call, answer, carrel) {
  const { method, headers } = call;
  const { host } = new URL(carrel);
  // The origin is that of the pages, which is what Carrel compares.
  const onward = request(new URL(call.url, carrel), {
    method,
    headers: { ...headers, host: headers.host ?? host },
  });
  onward.on("response", (given) => {
    answer.writeHead(given.statusCode, given.headers);
    given.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  call.pipe(onward);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, carrel, folder = join(import.meta.dirname, "../../web/dist")] =
    process.argv.slice(2);
  const { url } = await servePages(folder, carrel, Number(port));
  console.info(`${folder} on ${url}`);
}
