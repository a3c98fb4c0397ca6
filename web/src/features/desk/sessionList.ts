/** The items that came back in this session, as a file for spreadsheets. */
import { type Clock, formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { destinationOf } from "../check-in/destination";
import { personName } from "../patrons/patron";
import { authorOf, callNumberOf, factsIn, titleOf } from "./itemFacts";
import { type DeskScan, returnOf } from "./scan";

/** A line for each item that came back, in the order of scanning, under a line of headings. */
export function listOfReturns(scans: readonly DeskScan[], clock: Clock): string[][] {
  const date = (text: string | undefined) => (text ? formatDateTime(text, clock) : "");
  const rows = scans.flatMap((scan) => {
    const returned = returnOf(scan);
    if (!returned) return [];
    const { item, loan, inHouseUse } = returned;
    const { fees = [] } = factsIn(returned);
    return [
      [
        date(loan?.returnDate ?? scan.scannedAt.toISOString()),
        date(loan?.dueDate),
        scan.barcode,
        titleOf(item),
        authorOf(item),
        callNumberOf(item),
        item.location?.name ?? "",
        destinationOf(returned).text,
        inHouseUse ? t("Yes") : t("No"),
        personName(loan?.borrower ?? {}),
        fees.map(({ type, amount }) => `${fixed("feeType", type)} ${amount}`).join("; "),
      ],
    ];
  });
  return [headings(), ...rows];
}

const headings = () => [
  t("Returned"),
  t("Due"),
  t("Barcode"),
  t("Title"),
  t("Author"),
  t("Call number"),
  t("Location"),
  t("What next"),
  t("Used in the library"),
  t("Borrower"),
  t("Fees charged"),
];

/** As of RFC 4180; a value that a spreadsheet would compute is kept a text by an apostrophe. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvValue).join(",")}\r\n`).join("");
}

function csvValue(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives the list to the browser's downloads. */
export function saveReturns(scans: readonly DeskScan[], clock: Clock): void {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  const file = new Blob(["\uFEFF", csvOf(listOfReturns(scans, clock))], { type: "text/csv" });
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = `check-in-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
