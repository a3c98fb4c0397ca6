import DOMPurify from "dompurify";

/** A note as it was formatted, cleaned once more before it becomes part of the page. */
export function NoteContent({ html }: { html: string }) {
  const clean = DOMPurify.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ["style"] });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned just above
  return clean ? <div dangerouslySetInnerHTML={{ __html: clean }} /> : null;
}
