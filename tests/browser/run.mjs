/**
 * Runs the browser tests: `node tests/browser/run.mjs [--only name] [base-url tenant user password]`.
 *
 * `--only name` runs the files whose names contain `name`. SCREENS=1 keeps pictures of the pages in `docs/screens/`.
 * Without arguments it starts the built binary (`target/debug/carrel`, or `CARREL_BIN`) with a small
 * sample library in a temporary directory on free ports, and stops it at the end. CARREL_PAGES=web/dist tests the
 * pages of that folder instead of those built into the binary.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { startCarrel } from "./carrel.mjs";
import { servePages } from "./pages.mjs";

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" } },
  allowPositionals: true,
});
const [url, tenant = "diku", user = "diku_admin", password = "admin"] = positionals;
const carrel = url ? { url, stop: async () => undefined } : await startCarrel();

const folder = process.env.CARREL_PAGES;
const pages = folder ? await servePages(folder, carrel.url) : undefined;

const tests = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs") && name.includes(values.only))
  .map((name) => `${here}/${name}`);
const run = spawn(process.execPath, ["--test", "--test-concurrency=1", ...tests], {
  stdio: "inherit",
  env: {
    ...process.env,
    CARREL_URL: pages?.url ?? carrel.url,
    CARREL_TENANT: tenant,
    CARREL_USER: user,
    CARREL_PASSWORD: password,
  },
});
run.on("exit", async (code) => {
  pages?.stop();
  await carrel.stop();
  process.exit(code ?? 1);
});
