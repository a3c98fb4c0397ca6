/** Fills the templates of staff slips. */
import type { SlipTokens, Token } from "./tokens";

/**
 * Fills a template with a value for each `{{token}}`. Texts are escaped, a bar code becomes the element `<barcode>`,
 * and a token without a value becomes nothing. Staff slips have tokens only; sections and other parts of Mustache are
 * for notices.
 */
export function fill(template: string, tokens: SlipTokens): string {
  return template.replace(/{{([^{}]*)}}/g, (_, name: string) => html(tokens.get(name.trim())));
}

/** Whether a template prints anything: those of a new library are empty. */
export function isBlank(template: string): boolean {
  const hasContent = /{{|<(barcode|img|svg|hr|table)\b/i.test(template);
  return !hasContent && template.replace(/<[^>]*>|&nbsp;/g, "").trim() === "";
}

function html(token: Token | undefined): string {
  if (!token) return "";
  const text = escapeHtml(token.text);
  return token.isBarCode ? `<barcode>${text}</barcode>` : text;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
