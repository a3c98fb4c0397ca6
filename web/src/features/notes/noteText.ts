/** Notes are kept as HTML and written here as plain paragraphs. */

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

export function textOfNote(html: string): string {
  return html
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(/<\/(p|h1|h2|h3|li)>/gi, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}

export function noteOfText(text: string): string {
  const escaped = text.trim().replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped
    .split("\n")
    .map((line) => `<p>${line}</p>`)
    .join("");
}

/** Whether writing the note as plain text would lose formatting. */
export function isFormatted(html: string): boolean {
  return /<(?!\/?(p|br)\s*\/?>)[a-z]/i.test(html);
}
