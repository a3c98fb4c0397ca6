/** Slips as the body of an e-mail. Bar codes are texts: few mail programs show drawings. */
import { cleaned } from "./cleaned";

export function mailBody(slips: readonly string[]): string {
  const body = document.createElement("div");
  for (const slip of slips) {
    const section = document.createElement("div");
    section.append(cleaned(slip));
    for (const code of section.querySelectorAll("barcode"))
      code.replaceWith(code.textContent ?? "");
    body.append(section);
  }
  return body.innerHTML;
}
