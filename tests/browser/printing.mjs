/** Catches what the page prints, without a printer. */
import { expectEventually } from "./eventually.mjs";

/** Call it before opening the page; `next` waits for a printout and reads it. */
export async function catchPrinting(page) {
  await page.addInitScript(() => {
    window.printed = [];
    window.print = () => window.printed.push({ title: "the whole page" });
    const watch = ({ target }) => {
      if (!(target instanceof HTMLIFrameElement)) return;
      const { contentWindow, contentDocument } = target;
      contentWindow.print = () =>
        window.printed.push({
          title: contentDocument.title,
          slips: [...contentDocument.querySelectorAll(".slip")].map((slip) => slip.textContent),
          barCodes: [...contentDocument.querySelectorAll(".barcode")].map((code) =>
            code.querySelector("svg path") ? code.textContent.trim() : "not drawn",
          ),
          html: contentDocument.documentElement.outerHTML,
        });
    };
    document.addEventListener("load", watch, true);
  });
  const next = async () => {
    await expectEventually(() => page.evaluate(() => String(window.printed.length)), "1");
    return page.evaluate(() => window.printed.shift());
  };
  return { next };
}
