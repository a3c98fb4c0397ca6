/** The pages as somebody uses them who has only a keyboard: everything is reached with Tab and the arrows. */
import assert from "node:assert/strict";

/** Presses after which something counts as out of reach. */
const MOST = 200;

export class Keyboard {
  constructor(page) {
    this.page = page;
  }

  press = (keys) => this.page.keyboard.press(keys);

  type = (text) => this.page.keyboard.type(text);

  /** Goes on with Tab until this has the focus, or what is in it. */
  async to(wanted, keys = "Tab") {
    await wanted.first().waitFor();
    const isThere = () =>
      wanted
        .first()
        .evaluate((element) => element.contains(document.activeElement))
        .catch(() => false);
    for (let presses = 0; presses < MOST; presses += 1) {
      if (await isThere()) return;
      await this.press(keys);
    }
    assert.fail(`${wanted} is not reached by ${keys}`);
  }

  async activate(wanted) {
    await this.to(wanted);
    await this.press("Enter");
  }

  async fill(field, text) {
    await this.to(field);
    await this.press("Control+a");
    await this.type(text);
  }

  /** Chooses from a list that opens with a button: by typing what it begins with. */
  async choose(button, option) {
    await this.to(button);
    await this.press("Enter");
    const wanted = this.page.getByRole("option", { name: option, exact: true });
    await wanted.waitFor();
    await this.to(wanted, "ArrowDown");
    await this.press("Enter");
    await wanted.waitFor({ state: "hidden" });
  }

  /** Chooses from a list that is filtered by typing. */
  async find(field, option) {
    await this.fill(field, option);
    await this.page.getByRole("option", { name: option, exact: true }).first().waitFor();
    await this.press("ArrowDown");
    await this.press("Enter");
  }

  /** Opens a row of a table. */
  async open(grid, row) {
    await row.first().waitFor();
    await this.to(grid);
    await this.to(row, "ArrowDown");
    await this.press("Enter");
  }
}
