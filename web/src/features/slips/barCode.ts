/** Draws bar codes in Code 128, as on library cards and FOLIO's slips. */
import { code128, drawingSVG } from "bwip-js/generic";

/** Width of the narrowest bar in millimetres, which cheap scanners can read. */
const MODULE = 0.33;

/** The characters that notices can show as a bar code, too (crate `templates`). */
const SAYABLE = /^[ -~]{1,200}$/;

export interface BarCode {
  /** An SVG element that fills its container. */
  svg: string;
  /** The printed width. */
  millimetres: number;
}

/** The bar code of a text; none if Code 128 cannot encode it. */
export function barCodeOf(text: string): BarCode | undefined {
  if (!SAYABLE.test(text)) return undefined;
  const svg = code128({ bcid: "code128", text, scale: 1 }, drawingSVG());
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? 0);
  return { svg, millimetres: modules * MODULE };
}
