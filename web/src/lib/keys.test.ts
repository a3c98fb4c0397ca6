import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BROWSER_KEYS } from "./browserKeys";
import { KEYS } from "./keys";

const SOURCE = join(import.meta.dirname, "..");

const all = Object.entries(KEYS);

test.each(all)("%s (%s) is no key of a browser", (_, keys) => {
  expect(BROWSER_KEYS).not.toContain(keys);
  expect(keys).not.toMatch(/Ctrl|Meta/);
});

test("each key does one thing", () => {
  expect(new Set(all.map(([, keys]) => keys)).size).toBe(all.length);
});

test("no shortcut is written elsewhere than in the table", () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      /\.tsx?$/.test(path) && !/\.test\.ts$|lib[\\/](keys|browserKeys|shortcuts)\.ts$/.test(path),
  );
  const written = files.filter((path) =>
    /["'`{]Alt[+ ]|\bAlt \d|keys[=:] ?"F\d/.test(readFileSync(join(SOURCE, path), "utf8")),
  );
  expect(written).toEqual([]);
});
