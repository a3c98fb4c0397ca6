/** Fills the templates of staff slips. */
import type { SlipTokens, Token } from "./tokens";

/**
 * The template with a value for each `{{token}}`: texts stand for themselves, whatever characters they
 * have, and a bar code becomes the element `<barcode>`. A token without a value leaves nothing. Staff
 * slips have tokens only; sections and other parts of Mustache belong to notices.
 */
export function fill(template: string, tokens: SlipTokens): string {
  return template.replace(/{{([^{}]*)}}/g, (_, name: string) => html(tokens.get(name.trim())));
}

/** Whether a template prints anything: new libraries begin with empty ones. */
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
