/** Prints slips from a page of the desk. */

import { useState } from "react";
import { t } from "../../lib/i18n";
import { inWords } from "../../lib/wording";
import { announce } from "../../ui/LiveRegion";
import { useSession } from "../session/session";
import { useLibraryClock } from "../tenant/useClock";
import { fill } from "./fill";
import { printDocument } from "./printFrame";
import { type Slip, tokensOf } from "./slip";
import { noTemplate, type SlipName, useSlipTemplates } from "./templates";

export interface SlipPrinter {
  /** Whether the library uses slips with this name. */
  uses: (name: SlipName) => boolean;
  /** Why slips with this name cannot be printed; nothing while that is not known. */
  whyNot: (name: SlipName) => string | undefined;
  /** The id of the library's slip with this name. */
  idOf: (name: SlipName) => string | undefined;
  isKnown: boolean;
  /** Opens the browser's print dialog; returns whether that worked. */
  print: (slips: Slip[]) => Promise<boolean>;
  /** The slips as the body of an e-mail: HTML without anything that could run. */
  mailBody: (slips: Slip[]) => Promise<string>;
  /** Why the last printing failed. */
  error: unknown;
}

export function useSlipPrinter(): SlipPrinter {
  const { templateOf, idOf, isKnown, error: unread } = useSlipTemplates();
  const clock = useLibraryClock();
  const username = useSession()?.username ?? "";
  const [error, setError] = useState<unknown>();

  const filled = (slips: Slip[]) => {
    const printing = { username, clock, printedAt: new Date().toISOString() };
    return slips.map((slip) => fill(templateOf(slip.name) ?? "", tokensOf(slip, printing)));
  };
  const documentOf = async (slips: Slip[]) => {
    // The sanitizer and the bar codes are larger than the rest of the desk, so they load with the first slip.
    const { slipDocument } = await import("./slipDocument");
    return slipDocument({
      title: slips[0]?.name ?? "",
      language: clock.locale,
      onePerPage: slips[0]?.name !== "Due date receipt",
      slips: filled(slips),
    });
  };
  const print = async (slips: Slip[]) => {
    setError(undefined);
    try {
      announce(
        t("Printing {count, plural, one {# slip} other {# slips}}.", { count: slips.length }),
      );
      await printDocument(await documentOf(slips));
      return true;
    } catch (error) {
      setError(error);
      return false;
    }
  };
  const mailBody = async (slips: Slip[]) => {
    const { mailBody } = await import("./mailBody");
    return mailBody(filled(slips));
  };
  const uses = (name: SlipName) => templateOf(name) !== undefined;
  const whyNot = (name: SlipName) => {
    if (unread) return inWords(unread);
    return isKnown && !uses(name) ? noTemplate(name) : undefined;
  };
  return { mailBody, uses, whyNot, idOf, isKnown, print, error };
}
