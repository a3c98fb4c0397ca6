import assert from "node:assert/strict";

/** Milliseconds; EVENTUALLY=120000 on a machine that is busy with something else. */
const PATIENCE = Number(process.env.EVENTUALLY ?? 60_000);
const PAUSE = 50;

/** Reads until the text equals or matches the expected one; fails with the last text read. */
export async function expectEventually(read, expected) {
  const fits = (text) => (expected instanceof RegExp ? expected.test(text) : text === expected);
  const end = Date.now() + PATIENCE;
  let text = await read();
  while (!fits(text) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    text = await read();
  }
  if (expected instanceof RegExp) assert.match(text, expected);
  else assert.equal(text, expected);
}
