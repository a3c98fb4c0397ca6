/** The real mouse, pressed and moved step by step as a hand does: what is dragged gets the browser's own events. */

/** Parts of the height of a row at which it takes what is dropped. */
export const BEFORE = 0.12;
export const INTO = 0.5;
export const AFTER = 0.88;

const middleOf = async (found, part = 0.5) => {
  await found.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await found.boundingBox();
  return [x + Math.min(width / 2, 120), y + height * part];
};

/** Drags one thing to a part of another's height, and lets it go there. */
export async function drag(page, from, to, part) {
  await page.mouse.move(...(await middleOf(from)));
  await page.mouse.down();
  const [x, y] = await middleOf(to, part);
  // Over some steps: a drag begins with the first movement, and the place is that of the last.
  await page.mouse.move(x, y, { steps: 8 });
  await page.mouse.move(x + 1, y);
  await page.mouse.up();
}
