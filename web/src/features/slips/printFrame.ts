/** Prints a document of its own: the page around it stays as it is. */

/** Milliseconds after which a slip is printed without the images that have not come. */
const PATIENCE = 3_000;
/** Milliseconds a document is kept, for browsers that return from `print` before they have printed. */
const KEPT = 60_000;

let frame: HTMLIFrameElement | undefined;

/** Opens the browser's print dialog for the document. */
export async function printDocument(text: string): Promise<void> {
  frame?.remove();
  const opened = createFrame(text);
  frame = opened;
  await loaded(opened);
  opened.contentWindow?.print();
  setTimeout(() => opened.remove(), KEPT);
}

/** Out of sight and out of reach; without `allow-scripts` nothing in it runs, whatever it says. */
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
