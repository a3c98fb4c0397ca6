/** The Carrel under test: the built binary with a temporary data directory and free ports. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeIndexes } from "./indexes.mjs";

/** Milliseconds for the first start, which creates the database and the sample library. */
const PATIENCE = 120_000;

/**
 * As many of them as asked for, each with a library of its own: the sample library and its indexes are made once and
 * copied. `user` may search.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }[]>}
 */
export async function startCarrels(count, user) {
  const first = newFolder();
  const made = await startIn(first);
  if (count === 1) return [made];
  try {
    await makeIndexes(made.url, user);
  } catch (error) {
    await made.stop();
    throw error;
  }
  await made.stop({ keep: true });
  const folders = [first, ...Array.from({ length: count - 1 }, newFolder)];
  // The database belongs to another user where Carrel was started as root, which Node's own copying does not keep.
  for (const folder of folders.slice(1)) execFileSync("cp", ["-a", `${first}/.`, folder]);
  return Promise.all(folders.map(startIn));
}

const newFolder = () => mkdtempSync(join(tmpdir(), "carrel-data-"));

async function startIn(data) {
  const binary = process.env.CARREL_BIN ?? join(import.meta.dirname, "../../target/debug/carrel");
  if (!existsSync(binary)) throw new Error(`${binary} is missing: run cargo build first`);
  const [staff, folio] = [await freePort(), await freePort()];
  const listen = [
    "--staff-listen",
    `127.0.0.1:${staff}`,
    "--folio-listen",
    `127.0.0.1:${folio}`,
    "--sip2-listen",
    "",
    "--archives-listen",
    "",
  ];
  const runs = join(import.meta.dirname, "../../docs/lab/2026-11-24-archives");
  const flags = ["--data-dir", data, "--lab-results", runs, ...listen];
  const child = spawn(binary, ["serve", "--sample", ...flags], { stdio: ["ignore", 2, 2] });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const stop = async ({ keep = false } = {}) => {
    child.kill("SIGTERM");
    await gone;
    if (!keep) rmSync(data, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${staff}`;
  try {
    await ready(url, gone);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function ready(url, gone) {
  const end = Date.now() + PATIENCE;
  let hasEnded = false;
  gone.then(() => {
    hasEnded = true;
  });
  while (Date.now() < end) {
    if (hasEnded) throw new Error("carrel ended before it was ready");
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`carrel was not ready after ${PATIENCE} ms`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
