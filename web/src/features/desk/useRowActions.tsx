/** What can be done about a scan in the list, and the dialogs for it. */
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, type RefObject, useState } from "react";
import type { Clock } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { KEYS } from "../../lib/keys";
import { later } from "../../ui/later";
import { needsResolution } from "../check-in/checkIn";
import { slipOf } from "../check-in/slipOf";
import { addOverride, overridableBlocks } from "../check-out/override";
import { isUnknownItem } from "../scanning/recognise";
import { type RowAction, useRowShortcuts } from "../scanning/rowAction";
import type { ScanQueue } from "../scanning/scanQueue";
import { useMay } from "../session/session";
import type { Slip } from "../slips/slip";
import type { SlipPrinter } from "../slips/useSlipPrinter";
import { factsIn } from "./itemFacts";
import {
  type DeskAnswer,
  type DeskOptions,
  type DeskScan,
  isLending,
  type Mode,
  openLoanOf,
  returnOf,
} from "./scan";

/** It must open at once, too. */
const RowDialog = later(() => import("./RowDialogs").then((file) => file.default), {
  isAtHand: true,
});

export type Asked = "override" | "resolve" | "add" | "dueDate";

interface Context {
  mode: Mode;
  queue: ScanQueue<DeskAnswer, DeskOptions>;
  scans: readonly DeskScan[];
  clock: Clock;
  printer: SlipPrinter;
  inputRef: RefObject<HTMLInputElement | null>;
}

export function useRowActions({ mode, queue, scans, clock, printer, inputRef }: Context): {
  actions: RowAction<DeskScan>[];
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<{ what: Asked; scan: DeskScan }>();
  const mayAdd = useMayAddItems();
  const navigate = useNavigate();
  const asking = (
    what: Asked,
    label: string,
    keys: string,
    applies: (scan: DeskScan) => boolean,
  ): RowAction<DeskScan> => ({
    label,
    keys,
    applies,
    run: (scan) => {
      inputRef.current?.focus(); // the focus returns here when the dialog closes
      setAsked({ what, scan });
    },
  });
  const slipsFor = (scan: DeskScan) => slipsOf(scan, printer);
  const actions = [
    asking(
      "override",
      t("Override"),
      KEYS.decide,
      ({ error }) => overridableBlocks(error).length > 0,
    ),
    asking("resolve", t("Resolve"), KEYS.decide, ({ error }) => needsResolution(error)),
    asking(
      "add",
      t("Add this item…"),
      KEYS.decide,
      (scan) => mayAdd && isLending(scan) && isUnknownItem(scan.error),
    ),
    asking(
      "dueDate",
      t("Change due date…"),
      KEYS.dueDate,
      (scan) => openLoanOf(scan, scans) !== undefined,
    ),
    {
      label: t("Show the fees"),
      applies: (scan: DeskScan) => feesOf(scan).length > 0,
      run: (scan: DeskScan) =>
        void navigate({ href: `/patrons/${returnOf(scan)?.loan?.userId}?tab=fees` }),
    },
    {
      label: t("Print slip"),
      ...(mode === "return" && { keys: KEYS.print }),
      applies: (scan: DeskScan) => slipsFor(scan).length > 0,
      run: (scan: DeskScan) => {
        inputRef.current?.focus(); // so that scanning can continue during printing
        void printer.print(slipsFor(scan));
      },
    },
  ];
  useRowShortcuts(scans, actions);
  const close = () => setAsked(undefined);
  const retry = (scan: DeskScan, options: DeskOptions) => {
    close();
    queue.retry(scan.id, options);
  };
  const dialog = asked && (
    <RowDialog
      {...asked}
      clock={clock}
      onOverride={(blocks) => {
        const { options } = asked.scan;
        if (options.mode !== "lend") return;
        retry(asked.scan, { ...options, override: addOverride(options.override, blocks) });
      }}
      onResolve={(resolution) => {
        const { options } = asked.scan;
        if (options.mode === "return") retry(asked.scan, { ...options, resolution });
      }}
      onAdded={() => retry(asked.scan, asked.scan.options)}
      onLoan={(loan) => {
        close();
        queue.amend(asked.scan.id, { loan });
      }}
      onCancel={close}
    />
  );
  return { actions, dialog };
}

/** The slip for an item that came back, if the library uses it. */
export function slipsOf(scan: DeskScan, printer: SlipPrinter): Slip[] {
  const returned = returnOf(scan);
  const slip = returned && slipOf(returned);
  return slip && printer.uses(slip.name) ? [slip] : [];
}

/** The fees that a return charged. */
const feesOf = (scan: DeskScan) => factsIn(returnOf(scan) ?? {}).fees ?? [];

/** FOLIO's permission to add an item at the desk consists of these. */
function useMayAddItems(): boolean {
  const instances = useMay("inventory.instances.item.post");
  const holdings = useMay("inventory-storage.holdings.item.post");
  return useMay("inventory.items.item.post") && instances && holdings;
}
