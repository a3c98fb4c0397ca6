/** Bar codes as drawings: Code 128, the kind on library cards and FOLIO's slips. */
import { code128, drawingSVG } from "bwip-js/generic";

/** Millimetres of the narrowest bar: the width cheap scanners read well. */
const MODULE = 0.33;

/** What notices can show as a bar code, too (crate `templates`). */
const SAYABLE = /^[ -~]{1,200}$/;

export interface BarCode {
  /** An SVG element that stretches to the size it is given. */
  svg: string;
  /** The width at which it is printed. */
  millimetres: number;
}

/** The bar code of a text; none for a text that Code 128 cannot say. */
export function barCodeOf(text: string): BarCode | undefined {
  if (!SAYABLE.test(text)) return undefined;
  const svg = code128({ bcid: "code128", text, scale: 1 }, drawingSVG());
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? 0);
  return { svg, millimetres: modules * MODULE };
}
