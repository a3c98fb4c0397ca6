/**
 * The values of a staff slip's tokens, such as `item.title` and `requester.barcodeImage`, named as in FOLIO
 * (stripes-util's `convertToSlipData`, ui-users' due date receipt).
 */
import type { Loan, SlipContext } from "../../api/types";
import { type Clock, formatDateTime } from "../../lib/dates";

/** A literal text, or the text of a bar code. */
export interface Token {
  text: string;
  isBarCode?: boolean;
}

export type SlipTokens = ReadonlyMap<string, Token>;

/** Who prints which slip, and when. */
export interface Printing {
  slipName: string;
  username: string;
  /** ISO instant. */
  printedAt: string;
  clock: Clock;
}

const DATES = new Set([
  "item.lastCheckedInDateTime",
  "request.requestDate",
  "request.requestExpirationDate",
  "request.holdShelfExpirationDate",
]);

/** The tokens of a slip for an item or a request. */
export function tokensOfContext(context: SlipContext, printing: Printing): SlipTokens {
  const { item, request, requester } = context;
  return new Map([
    ...members("item", item, printing.clock),
    ...members("request", request, printing.clock),
    ...members("requester", requester, printing.clock),
    ...texts("requester", {
      preferredFirstName: requester?.preferredFirstName || requester?.firstName,
      stateProvRegion: requester?.region,
      zipPostalCode: requester?.postalCode,
      country: countryName(requester?.countryId, printing.clock),
    }),
    ...barCode("item.barcodeImage", item?.barcode),
    ...barCode("item.instanceHridImage", item?.instanceHrid),
    ...barCode("request.barcodeImage", request?.requestID),
    ...barCode("requester.barcodeImage", requester?.barcode),
    ...texts("staffSlip", staffSlip(context.currentDateTime ?? printing.printedAt, printing)),
  ]);
}

/** The tokens of a due date receipt. */
export function tokensOfLoan(loan: Loan, printing: Printing): SlipTokens {
  const { item, borrower, patronGroupAtCheckout: group } = loan;
  return new Map([
    ...members("item", item, printing.clock),
    ...texts("item", {
      allContributors: item?.contributors?.map(({ name }) => name).join(", "),
      callNumberPrefix: item?.callNumberComponents?.prefix,
      callNumberSuffix: item?.callNumberComponents?.suffix,
      copy: item?.copyNumber,
      materialType: item?.materialType?.name,
      administrativeNotes: item?.administrativeNotes?.join("/"),
      datesOfPublication: item?.datesOfPublication?.join("/"),
      editions: item?.editions?.join("/"),
      physicalDescriptions: item?.physicalDescriptions?.join("/"),
      seriesStatements: item?.seriesStatements?.join(" / "),
    }),
    ...texts("borrower", { ...borrower, patronGroup: group?.name }),
    ...texts("loan", { dueDate: loan.dueDate && formatDateTime(loan.dueDate, printing.clock) }),
    ...barCode("item.barcodeImage", item?.barcode),
    ...barCode("item.instanceHridImage", item?.instanceHrid),
    ...texts("staffSlip", staffSlip(printing.printedAt, printing)),
  ]);
}

function staffSlip(moment: string, { slipName, username, clock }: Printing) {
  return {
    Name: slipName,
    currentDateTime: formatDateTime(moment, clock),
    staffUsername: username,
  };
}

type Entry = [name: string, token: Token];

/** All members that are texts or numbers, with dates in the library's time zone. */
function members(group: string, record: object | undefined, clock: Clock): Entry[] {
  return Object.entries(record ?? {}).flatMap(([member, value]) => {
    const name = `${group}.${member}`;
    if (typeof value === "number") return [[name, { text: String(value) }]];
    if (typeof value !== "string") return [];
    return [[name, { text: DATES.has(name) ? formatDateTime(value, clock) : value }]];
  });
}

function texts(group: string, record: Record<string, string | null | undefined>): Entry[] {
  return Object.entries(record).flatMap(([member, text]) =>
    text ? [[`${group}.${member}`, { text }]] : [],
  );
}

function barCode(name: string, text: string | null | undefined): Entry[] {
  return text ? [[name, { text, isBarCode: true }]] : [];
}

/** The name of a country in the library's language, or an unknown code itself. */
function countryName(
  code: string | null | undefined,
  { locale }: Clock,
): string | null | undefined {
  if (!code || !/^[A-Z]{2}$/i.test(code)) return code;
  return new Intl.DisplayNames(locale, { type: "region" }).of(code.toUpperCase());
}
