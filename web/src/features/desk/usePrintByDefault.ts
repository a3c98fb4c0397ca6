/** Prints the slip of a returned item by itself, where the service point says so for this kind of slip. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type RefObject, useRef } from "react";
import { getServicePoint } from "../../api/endpoints";
import { useServicePointId } from "../service-points/useServicePointId";
import type { Slip } from "../slips/slip";
import type { SlipPrinter } from "../slips/useSlipPrinter";
import type { DeskScan } from "./scan";
import { useNewlyAnswered } from "./useNewlyAnswered";
import { slipsOf } from "./useRowActions";

/** The ids of the slips that a service point prints without being asked. */
const printedByDefault = (servicePointId: string) =>
  queryOptions({
    queryKey: ["service-points", servicePointId, "print-by-default"],
    queryFn: async () => {
      const { staffSlips = [] } = await getServicePoint(servicePointId);
      return staffSlips.filter(({ printByDefault }) => printByDefault).map(({ id }) => id);
    },
  });

export function usePrintByDefault(
  scans: readonly DeskScan[],
  printer: SlipPrinter,
  inputRef: RefObject<HTMLInputElement | null>,
): void {
  const { data: ids } = useQuery(printedByDefault(useServicePointId()));
  const printing = useRef(Promise.resolve());

  const print = async (slips: Slip[]) => {
    const hadFocus = document.activeElement === inputRef.current;
    await printer.print(slips);
    if (hadFocus) inputRef.current?.focus();
  };
  const printSlips = (scan: DeskScan) => {
    const slips = slipsOf(scan, printer).filter(({ name }) =>
      ids?.includes(printer.idOf(name) ?? ""),
    );
    // One dialog of the browser at a time.
    if (slips.length > 0) printing.current = printing.current.then(() => print(slips));
  };
  useNewlyAnswered(scans, printSlips, ids !== undefined && printer.isKnown);
}
