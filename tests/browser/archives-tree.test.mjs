/**
 * A tree of many components: opened, searched, moved, undone. ARCHIVES_TREE=100000 makes it as large as that; `npm run browser` does
 * so in a library of its own, because its index would keep the other tests waiting.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findingAid, found, imported, openArchives, pageOf, titlesBelow } from "./archives.mjs";
import { assertAccessible } from "./browser.mjs";
import { expectEventually } from "./eventually.mjs";
import { AFTER, BEFORE, drag, INTO } from "./mouse.mjs";
import { openStaff, screen } from "./staff.mjs";

const FILES = Number(process.env.ARCHIVES_TREE ?? 3000);
const EACH = FILES / 5;
const TITLE = `Records of ${FILES} files`;

let archives;
let browser;
let page;
let root;
let tree;

before(async () => {
  archives = await openArchives();
  const id = `tree-${Date.now().toString(36)}`;
  root = await imported(archives, findingAid({ id, title: TITLE, files: FILES }));
  // A large import is in the index some time after it is in the tree.
  const last = encodeURIComponent(`"Folder ${FILES - 7}"`);
  const hits = () => found(archives, `root_record=${root}&type[]=archival_object&q=${last}`);
  const end = Date.now() + 600_000;
  while ((await hits()).length === 0) {
    assert.ok(Date.now() < end, "the import is in the index");
    await pause(500);
  }
  browser = await openStaff(pageOf(root));
  page = browser.page;
  tree = page.getByRole("tree", { name: `Components of ${TITLE}` });
  await tree.waitFor();
});

after(() => browser?.close());

const item = (name) => tree.getByRole("treeitem", { name });

/** What assistive technology reads: the row that the tree says is active. */
const active = () =>
  tree.evaluate((element) => {
    const row = document.getElementById(element.getAttribute("aria-activedescendant"));
    return row?.textContent ?? "none";
  });

const series = async (number) => {
  const [node] = (await archives.read(`${root}/tree/root`)).precomputed_waypoints[""][0].filter(
    ({ title }) => title === `Series ${number}`,
  );
  return node.uri;
};

describe(`a tree of ${FILES} files`, () => {
  test("opens at once, and draws only what is on the screen", async () => {
    await page.reload();
    const start = Date.now();
    await item("Series 1").waitFor();
    console.info(`the tree was there after ${Date.now() - start} ms`);
    await item("Series 1").click();
    await page.keyboard.press("ArrowRight");
    await item(/^Folder 1 /).waitFor();
    const [level, place, siblings] = await item(/^Folder 1 /).evaluate((row) =>
      ["aria-level", "aria-posinset", "aria-setsize"].map((name) => row.getAttribute(name)),
    );
    assert.deepEqual([level, place, siblings], ["3", "1", String(EACH)]);
    assert.ok((await tree.getByRole("treeitem").count()) < 80, "few rows are drawn");
  });

  test("is walked by the keyboard, to its very end", async () => {
    await page.keyboard.press("End");
    await expectEventually(active, /^▸Series 5/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expectEventually(active, new RegExp(`^Folder ${EACH} `));
    await page.keyboard.press("ArrowLeft");
    await expectEventually(active, /^▾Series 1/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Home");
    await expectEventually(active, new RegExp(TITLE));
  });

  test("finds a component in a part that was not read yet", async () => {
    const wanted = FILES - 7;
    await page.getByRole("searchbox", { name: "Find in this resource" }).fill(`"Folder ${wanted}"`);
    await page.keyboard.press("Enter");
    await page.getByText("1 component found").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await item(new RegExp(`^Folder ${wanted} `)).waitFor();
    await page.getByRole("heading", { name: new RegExp(`^Folder ${wanted}`) }).waitFor();
    const selected = await item(new RegExp(`^Folder ${wanted} `)).getAttribute("aria-selected");
    assert.equal(selected, "true");
    await tree.focus();
    await screen(page, "archives-tree");
    await assertAccessible(page, "a resource with its tree");
    await page.getByRole("searchbox", { name: "Find in this resource" }).fill("");
  });

  test("three files are cut, pasted elsewhere, and brought back", async () => {
    const [from, to] = [await series(5), await series(2)];
    const before = await titlesBelow(archives, root, from);
    await tree.focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowDown");
    // The series is open since a file of it was found; the arrow goes to its first one.
    await page.keyboard.press("ArrowRight");
    await expectEventually(active, new RegExp(`^Folder ${4 * EACH + 1} `));
    await page.keyboard.press(" ");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+x");
    await page.getByText("3 components cut.").waitFor({ state: "attached" });
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expectEventually(active, /^▸Series 2/);
    await page.keyboard.press("Control+v");
    await page.getByText("3 components moved.").waitFor({ state: "attached" });
    const last = Math.floor((EACH + 2) / 200);
    const moved = [1, 2, 3].map((number) => `Folder ${4 * EACH + number}`);
    assert.deepEqual((await titlesBelow(archives, root, to, last)).slice(-3), moved);
    assert.deepEqual((await titlesBelow(archives, root, from)).slice(0, 5), [
      ...before.slice(3, 8),
    ]);

    await page.keyboard.press("Control+z");
    await page.getByText("3 components moved back.").waitFor({ state: "attached" });
    assert.deepEqual(await titlesBelow(archives, root, from), before);
  });

  describe("with the mouse", () => {
    const AS_IT_WAS = "Series 1,Series 2,Series 3,Series 4,Series 5";
    const order = async () => (await titlesBelow(archives, root)).join();
    const undo = async () => {
      await page
        .getByRole("button", { name: "Undo" })
        .and(page.locator(":not([aria-disabled])"))
        .click();
      await expectEventually(order, AS_IT_WAS);
    };

    beforeEach(async () => {
      // All series closed, and none selected with others.
      await page.goto(pageOf(root));
      await item("Series 5").waitFor();
      await expectEventually(order, AS_IT_WAS);
    });

    test("a series is dragged before another, and that is undone", async () => {
      await drag(page, item("Series 3"), item("Series 1"), BEFORE);
      await expectEventually(order, "Series 3,Series 1,Series 2,Series 4,Series 5");
      await undo();
    });

    test("a series is dragged after another, and that is undone", async () => {
      await drag(page, item("Series 1"), item("Series 4"), AFTER);
      await expectEventually(order, "Series 2,Series 3,Series 4,Series 1,Series 5");
      await undo();
    });

    test("a series is dragged into another, and that is undone", async () => {
      const into = await series(2);
      await drag(page, item("Series 4"), item("Series 2"), INTO);
      await expectEventually(order, "Series 1,Series 2,Series 3,Series 5");
      const last = Math.floor(EACH / 200);
      const below = await titlesBelow(archives, root, into, last);
      assert.equal(below.at(-1), "Series 4");
      await undo();
    });

    test("two series that are selected are dragged together, and that is undone", async () => {
      await item("Series 1").click();
      await item("Series 3").click({ modifiers: ["Control"] });
      await expectEventually(
        () => tree.locator('[aria-selected="true"]').count().then(String),
        "2",
      );
      await drag(page, item("Series 3"), item("Series 5"), AFTER);
      await expectEventually(order, "Series 2,Series 4,Series 5,Series 1,Series 3");
      await undo();
    });

    test("nothing moves when a series is dropped on itself", async () => {
      await drag(page, item("Series 2"), item("Series 2"), INTO);
      assert.equal(await order(), AS_IT_WAS);
    });
  });
});

describe("the whole finding aid as one page", () => {
  const component = (name) => page.getByRole("article", { name, exact: true });
  const calls = [];

  /** Whether a component is in the window, and where: pixels below its top. */
  const placeOf = (found) => found.evaluate((element) => element.getBoundingClientRect().top);

  const find = async (name) => {
    const field = page.getByRole("searchbox", { name: "Find in this finding aid" });
    await field.fill(`"${name}"`);
    await page.keyboard.press("Enter");
    await page.getByText("1 component found").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await component(name).waitFor();
  };

  test("opens at its beginning with a few calls, however large it is", async () => {
    page.on("request", (request) => calls.push(request.url()));
    const start = Date.now();
    await page.goto(`${pageOf(root)}/finding-aid`);
    await component("Folder 1").waitFor();
    console.info(`the finding aid was there after ${Date.now() - start} ms`);
    await expectEventually(() => component("Folder 1").textContent(), /1901/);
    const trees = calls.filter((url) => url.includes("/tree"));
    assert.ok(trees.length <= 4, `read of the tree: ${trees.join(" ")}`);
    assert.ok((await page.getByRole("article").count()) < 300, "only what is near is drawn");
  });

  test("finds and shows a component far down", async () => {
    const wanted = FILES - 7;
    await find(`Folder ${wanted}`);
    const found = component(`Folder ${wanted}`);
    await expectEventually(() => found.textContent(), /19\d\d/);
    await expectEventually(async () => {
      const top = await placeOf(found);
      return String(top >= 0 && top < 900);
    }, "true");
    assert.ok((await page.getByRole("article").count()) < 300, "only what is near is drawn");
    await screen(page, "archives-finding-aid");
    await assertAccessible(page, "a finding aid");
  });

  test("keeps its place while what is above is read", async () => {
    const name = `Folder ${2 * EACH + 100}`;
    await find(name);
    await expectEventually(() => component(name).textContent(), /19\d\d/);
    const before = await placeOf(component(name));
    // Far up and down again: what was not read between gets its true heights meanwhile.
    const down = await page.evaluate(() => {
      const from = window.scrollY;
      window.scrollBy({ top: -3000, behavior: "instant" });
      return from;
    });
    await component(`Folder ${2 * EACH + 30}`).waitFor();
    const earlier = component(`Folder ${2 * EACH + 30}`);
    const there = await placeOf(earlier);
    await page.waitForLoadState("networkidle");
    assert.ok(Math.abs((await placeOf(earlier)) - there) < 2, "a component in view did not move");
    await page.evaluate((to) => window.scrollTo({ top: to, behavior: "instant" }), down);
    await component(name).waitFor();
    const moved = Math.abs((await placeOf(component(name))) - before);
    const window = page.viewportSize().height;
    assert.ok(moved < window, `the same place is in view again, ${moved} pixels off`);
  });

  test("is read to its very end by the keyboard", async () => {
    await page.getByRole("heading", { level: 1 }).focus();
    // The first time shows the last series, whose own components are read only then.
    await expectEventually(async () => {
      await page.keyboard.press("End");
      return String(await component(`Folder ${FILES}`).isVisible());
    }, "true");
  });

  test("shows only what the public sees", async () => {
    const [first] = (await archives.read(`${root}/tree/root`)).precomputed_waypoints[""][0];
    await archives.send(`${first.uri}/unpublish`);
    await page.reload();
    await component("Series 1").waitFor();
    await component("Series 1").getByText("not published").waitFor();
    await page.getByText("As the public sees it").click();
    await component("Series 2").waitFor();
    assert.equal(await component("Series 1").count(), 0);
    await archives.send(`${first.uri}/publish`);
  });
});
