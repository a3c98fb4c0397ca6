/** The desk as used from a keyboard: all input is typed, results are found by role. */
import { expectEventually } from "./eventually.mjs";

const { CARREL_TENANT, CARREL_USER, CARREL_PASSWORD } = process.env;

export class Desk {
  constructor(page) {
    this.page = page;
    this.keyboard = page.keyboard;
    this.spoken = page.getByRole("status");
    this.alarm = page.getByRole("alert");
    this.patron = page.getByRole("region", { name: "Patron" });
    this.rows = page.getByRole("list", { name: "Scans, newest first" }).locator("> li");
  }

  /** Fills in the sign-in form, starting in the focused field. */
  async signIn(password = CARREL_PASSWORD) {
    await this.page.getByLabel("Library").waitFor();
    for (const text of [CARREL_TENANT, CARREL_USER]) {
      await this.keyboard.type(text);
      await this.keyboard.press("Tab");
    }
    await this.keyboard.type(password);
    await this.keyboard.press("Enter");
  }

  /** Chooses the service point by typing its name. */
  async chooseServicePoint(name) {
    await this.page.getByRole("option", { name }).waitFor();
    await this.keyboard.type(name);
    await this.keyboard.press("Enter");
    await this.page.getByRole("button", { name: `Service point ${name}` }).waitFor();
  }

  async task(name, keys) {
    await this.keyboard.press(keys);
    await this.page.getByRole("heading", { name, level: 1 }).waitFor();
    await this.expectFocusInScanField();
  }

  async scan(...barcodes) {
    for (const barcode of barcodes) {
      await this.keyboard.type(barcode);
      await this.keyboard.press("Enter");
    }
  }

  async scanPatron(barcode) {
    await this.scan(barcode);
    await this.page.getByLabel("Item barcode").waitFor();
  }

  /** The newest scan of a barcode. */
  row(barcode) {
    return this.rows.filter({ has: this.page.getByText(barcode, { exact: true }) }).first();
  }

  async expectRow(barcode, pattern) {
    await expectEventually(() => this.row(barcode).textContent(), pattern);
  }

  /** Waits until all scans are answered, and gives their states, newest first. */
  async expectAllAnswered(count) {
    const settled = () =>
      this.rows.evaluateAll((rows) => {
        const states = rows.map((row) => row.dataset.state);
        const open = states.filter((state) => state === "waiting" || state === "working");
        // The newest, which is answered last, is among those that are drawn.
        return `${(rows[0]?.ariaSetSize ?? 0) - open.length} of ${rows[0]?.ariaSetSize}`;
      });
    await expectEventually(settled, `${count} of ${count}`);
    return (await this.allRows()).map(({ state }) => state);
  }

  /** Scrolls through the list, of which only what is near the window is drawn: the state and text of each scan, newest first. */
  async allRows() {
    const found = new Map();
    const readAndScroll = async () => {
      const drawn = await this.rows.evaluateAll((rows) => {
        window.scrollBy({ top: 500, behavior: "instant" });
        return rows.map(({ ariaPosInSet, ariaSetSize, dataset, textContent }) => ({
          ...{ place: Number(ariaPosInSet), of: ariaSetSize },
          ...{ state: dataset.state, text: textContent },
        }));
      });
      for (const row of drawn) found.set(row.place, row);
      return `${found.size} of ${drawn[0]?.of ?? 0}`;
    };
    await this.toTop();
    await expectEventually(readAndScroll, /^(\d+) of \1$/);
    await this.toTop();
    return [...found.values()].sort((one, other) => one.place - other.place);
  }

  toTop() {
    return this.page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  }

  async expectFocusInScanField() {
    const label = () =>
      this.page.evaluate(() => document.activeElement?.labels?.[0]?.textContent ?? "no field");
    await expectEventually(label, /^(Item|Patron) barcode$/);
  }
}
