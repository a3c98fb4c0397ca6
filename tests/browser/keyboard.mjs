/** Going through a page with the keys of the keyboard alone. */
import assert from "node:assert/strict";

/** More stops than any page has. */
const MOST = 150;

const isFocused = (locator) =>
  locator.evaluateAll((found) => found.some((element) => element === document.activeElement));

const hasFocusWithin = (locator) =>
  locator.evaluateAll((found) => found.some((element) => element.contains(document.activeElement)));

async function until(page, isThere, key, what) {
  for (let stop = 0; stop < MOST; stop += 1) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${what}`);
}

/** Presses a key until this has the focus. */
export async function goTo(page, locator, key = "Tab") {
  await locator.first().waitFor({ state: "attached" });
  await until(page, () => isFocused(locator), key, locator);
}

/** Goes there and presses Enter. */
export async function pressAt(page, locator, key) {
  await goTo(page, locator, key);
  await page.keyboard.press("Enter");
}

/** Goes to the tabs and on to this one. */
export async function openTab(page, name) {
  await goTo(page, page.getByRole("tab"));
  await goTo(page, page.getByRole("tab", { name, exact: true }), "ArrowRight");
}

/** Goes to the table, down to this row, and out of its cells. */
export async function goToRow(page, row) {
  await row.first().waitFor();
  const anyRow = page.getByRole("row");
  await until(page, () => hasFocusWithin(anyRow), "Tab", "a table");
  await until(page, () => hasFocusWithin(row), "ArrowDown", row);
  await goTo(page, row, "ArrowLeft");
}
