/**
 * Runs the browser tests: `node tests/browser/run.mjs [--only name] [--lanes number] [base-url tenant user password]`.
 *
 * `--only name` runs the files whose names contain `name`. SCREENS=1 keeps pictures of the pages in `docs/screens/`.
 * Without a URL it starts the built binary (`target/debug/carrel`, or `CARREL_BIN`) with a small sample library in a
 * temporary directory on free ports, and stops it at the end. CARREL_PAGES=web/dist tests the pages of that folder
 * instead of those built into the binary.
 *
 * Where there are four processors, two files run side by side, each lane with a Carrel and a library of its own. With two, the
 * browser of one lane would starve the lists of the other, which come last at the processors (decision 30). What a file of
 * several lanes prints is shown when it is done.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { startCarrels } from "./carrel.mjs";
import { servePages } from "./pages.mjs";

/** They begin first, so that no lane waits for one of them at the end. */
const LONGEST = [
  "every-page",
  "archives-collection",
  "archives-tree",
  "catalogue",
  "check-out-and-check-in",
];

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" }, lanes: { type: "string" } },
  allowPositionals: true,
});
const [url, tenant = "diku", user = "diku_admin", password = "admin"] = positionals;

const names = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs") && name.includes(values.only))
  .map((name) => basename(name, ".test.mjs"));
const waiting = [...new Set([...LONGEST.filter((name) => names.includes(name)), ...names])];
const most = Number(values.lanes ?? Math.min(2, availableParallelism() >> 1));
const lanes = url ? 1 : Math.max(1, Math.min(most, waiting.length));

const carrels = url
  ? [{ url, stop: async () => undefined }]
  : await startCarrels(lanes, { tenant, user, password });
const results = [];
await Promise.all(carrels.map(runLane));
for (const { name, printed } of results.filter(({ code }) => code !== 0)) {
  console.info(`\nWhat failed in ${name}:\n${failures(printed)}`);
}
for (const { name, seconds, code } of results) {
  console.info(`${code === 0 ? "passed" : "FAILED"} ${name} in ${seconds} s`);
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);

/** Runs files until none is left. */
async function runLane(carrel) {
  const folder = process.env.CARREL_PAGES;
  const pages = folder ? await servePages(folder, carrel.url) : undefined;
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    const start = Date.now();
    const { code, printed } = await runFile(`${here}/${name}.test.mjs`, pages?.url ?? carrel.url);
    results.push({ name, seconds: Math.round((Date.now() - start) / 1000), code, printed });
  }
  pages?.stop();
  await carrel.stop();
}

/** Runs a file of tests: its exit code and what it printed. What it prints is not mixed with that of another lane. */
async function runFile(path, base) {
  const run = spawn(process.execPath, ["--test", "--test-reporter=tap", path], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      CARREL_URL: base,
      CARREL_TENANT: tenant,
      CARREL_USER: user,
      CARREL_PASSWORD: password,
    },
  });
  const parts = [];
  run.stdout.on("data", (part) => {
    parts.push(part);
    if (lanes === 1) process.stdout.write(part);
  });
  const code = await new Promise((resolve) => run.once("close", resolve));
  const printed = Buffer.concat(parts);
  if (lanes > 1) process.stdout.write(printed);
  return { code: code ?? 1, printed: printed.toString() };
}

/** What Node's reporter (TAP) says of the tests that failed: it is at the end, too, where somebody looks first. */
function failures(printed) {
  const found = printed.match(/^( *)not ok .*\n(?:\1 +.*\n)*/gm);
  return found?.join("") ?? printed.slice(-2_000);
}
