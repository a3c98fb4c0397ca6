import { i18n } from "@lingui/core";
import { TransNoContext } from "@lingui/react/server";
import type { ReactElement } from "react";
import type { Values } from "./i18n";

interface Props {
  /** A message with tags: `Sign in to <library>diku</library>`. */
  text: string;
  /** The element for each tag. */
  parts: Record<string, ReactElement>;
  values?: Values;
}

/** A message with elements inside. */
export function Rich({ text, parts, values }: Props) {
  return (
    <TransNoContext lingui={{ i18n }} id={text} components={parts} {...(values && { values })} />
  );
}
