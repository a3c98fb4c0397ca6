import DOMPurify from "dompurify";

/** A filled template without anything that could run. */
export function cleaned(slip: string): DocumentFragment {
  return DOMPurify.sanitize(slip, {
    ADD_TAGS: ["barcode"],
    FORCE_BODY: true, // keeps a style element at the start of a template
    RETURN_DOM_FRAGMENT: true,
  });
}
