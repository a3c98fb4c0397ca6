/** The pages as somebody uses them who has only a keyboard: everything is reached with Tab and the arrows. */
import assert from "node:assert/strict";

/** Presses after which something counts as out of reach. */
const MOST = 200;

/** Whether one of these has the focus. */
const isFocused = (wanted) =>
  wanted.evaluateAll((found) => found.some((element) => element === document.activeElement));

/** Whether one of these has the focus, or something in it. */
const hasFocusWithin = (wanted) =>
  wanted.evaluateAll((found) => found.some((element) => element.contains(document.activeElement)));

export class Keyboard {
  constructor(page) {
    this.page = page;
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  type = (text) => this.page.keyboard.type(text);

  /** Presses keys until this has the focus, or something in it. */
  async to(wanted, keys = "Tab") {
    await wanted.first().waitFor({ state: "attached" });
    await this.#until(hasFocusWithin, wanted, keys);
  }

  /** Goes there and presses Enter. */
  async activate(wanted, keys) {
    await this.to(wanted, keys);
    await this.press("Enter");
  }

  async fill(field, text) {
    await this.to(field);
    await this.press("Control+a");
    await this.type(text);
  }

  /** Chooses from a list that opens with a button: by typing what it begins with. */
  async choose(button, option) {
    await this.activate(button);
    const wanted = this.page.getByRole("option", { name: option, exact: true });
    await wanted.waitFor();
    await this.activate(wanted, "ArrowDown");
    await wanted.waitFor({ state: "hidden" });
  }

  /** Chooses from a list that is filtered by typing. */
  async find(field, option) {
    await this.fill(field, option);
    await this.page.getByRole("option", { name: option, exact: true }).first().waitFor();
    await this.press("ArrowDown");
    await this.press("Enter");
  }

  /** Goes to the tabs and on to this one. */
  async openTab(name) {
    await this.to(this.page.getByRole("tab"));
    await this.to(this.page.getByRole("tab", { name, exact: true }), "ArrowRight");
  }

  /** Goes to the table, from its top down to this row, and out of its cells. */
  async toRow(row) {
    await row.first().waitFor();
    await this.to(this.page.getByRole("row"));
    await this.press("Control+Home");
    await this.to(row, "ArrowDown");
    await this.#until(isFocused, row, "ArrowLeft");
  }

  async #until(isThere, wanted, keys) {
    for (let presses = 0; presses < MOST; presses += 1) {
      if (await isThere(wanted).catch(() => false)) return;
      await this.press(keys);
    }
    assert.fail(`${wanted} is not reached by ${keys}`);
  }
}
