/**
 * The document to print: slips only, with nothing in it that could run or send data. Templates are HTML written by
 * staff, so they are sanitized here and shown in a frame without scripts (`printFrame.ts`).
 */
import { barCodeOf } from "./barCode";
import { cleaned } from "./cleaned";
import css from "./slipDocument.css?inline";

/** No scripts; images, such as a library's logo, may come from elsewhere. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:";

export interface Sheet {
  title: string;
  /** BCP 47. */
  language: string;
  /** One page per slip; otherwise they follow one another as on a receipt. */
  onePerPage: boolean;
  /** Filled templates, not yet sanitized. */
  slips: string[];
}

/** The document's HTML. */
export function slipDocument({ title, language, onePerPage, slips }: Sheet): string {
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = language;
  const policy = page.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = POLICY;
  const style = page.createElement("style");
  style.textContent = css;
  page.head.append(policy, style);
  for (const slip of slips) page.body.append(section(page, slip, onePerPage));
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

function section(page: Document, slip: string, ownPage: boolean): HTMLElement {
  const content = cleaned(slip);
  for (const element of content.querySelectorAll("barcode")) element.replaceWith(drawn(element));
  const section = page.createElement("section");
  section.className = ownPage ? "slip page" : "slip";
  section.append(content);
  return section;
}

/** A bar code with its text below, or the text alone if it cannot be drawn. */
function drawn(element: Element): Node {
  const text = element.textContent?.trim() ?? "";
  const code = barCodeOf(text);
  if (!code) return new Text(text);
  const figure = document.createElement("span");
  figure.className = "barcode";
  figure.innerHTML = code.svg;
  const svg = figure.querySelector("svg");
  svg?.setAttribute("preserveAspectRatio", "none");
  svg?.setAttribute("aria-hidden", "true");
  svg?.setAttribute("style", `width: ${code.millimetres.toFixed(2)}mm`);
  const caption = document.createElement("span");
  caption.textContent = text;
  figure.append(caption);
  return figure;
}
