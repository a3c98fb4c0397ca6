/** A change that the server makes while its answer is lost on the way to the page. */

/** Loses the answer to the next POST to this path of FOLIO's API. */
export async function loseAnswer(page, path) {
  let isLost = false;
  await page.route(`**/folio${path}`, async (call) => {
    if (isLost || call.request().method() !== "POST") return call.fallback();
    isLost = true;
    await call.fetch();
    await call.abort();
  });
}

/** Presses a button that saves, and once more after the page has said that no answer came. */
export async function saveTwice(page, press) {
  await press();
  await page.getByRole("alert").filter({ hasText: "The server does not answer" }).waitFor();
  await press();
}
