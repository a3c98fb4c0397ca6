/** Prints a document without changing the page around it. */

/** Milliseconds to wait for images. */
const PATIENCE = 3_000;
/** Milliseconds to keep the document, for browsers that return from `print` before printing. */
const KEPT = 60_000;

let frame: HTMLIFrameElement | undefined;

/** Opens the browser's print dialog. */
export async function printDocument(text: string): Promise<void> {
  frame?.remove();
  const opened = createFrame(text);
  frame = opened;
  await loaded(opened);
  opened.contentWindow?.print();
  setTimeout(() => opened.remove(), KEPT);
}

/** Invisible and unreachable. Without `allow-scripts`, nothing in it can run. */
function createFrame(text: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.title = "Slips to print";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.sandbox.add("allow-same-origin", "allow-modals");
  frame.style.cssText =
    "position:fixed; inset:auto 0 0 auto; width:0; height:0; border:0; visibility:hidden";
  frame.srcdoc = text;
  return frame;
}

function loaded(frame: HTMLIFrameElement): Promise<void> {
  return new Promise((resolve) => {
    frame.addEventListener("load", () => resolve(), { once: true });
    setTimeout(resolve, PATIENCE);
    document.body.append(frame);
  });
}
