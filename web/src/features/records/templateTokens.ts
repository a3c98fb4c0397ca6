/** The tokens of templates with an example for each, for the menu and the preview (docs/folio/check-in.md, notices.md). */
import type { SlipTokens } from "../slips/tokens";

export type TokenSet = "slip" | "notice";

type Examples = Readonly<Record<string, string>>;

const ITEM: Examples = {
  "item.title": "The history of the lighthouse",
  "item.primaryContributor": "Hansen, Ida",
  "item.allContributors": "Hansen, Ida; Weber, Jonas",
  "item.barcode": "30101000042390",
  "item.callNumber": "VK1010 .H36 1998",
  "item.callNumberPrefix": "f",
  "item.callNumberSuffix": "c.2",
  "item.volume": "2",
  "item.enumeration": "v.2",
  "item.chronology": "1998",
  "item.copy": "1",
  "item.materialType": "book",
  "item.loanType": "Can circulate",
  "item.status": "Awaiting pickup",
  "item.effectiveLocationSpecific": "Main Library, Stacks",
  "item.effectiveLocationLibrary": "Main Library",
  "item.effectiveLocationCampus": "City Campus",
  "item.effectiveLocationInstitution": "University",
  "item.fromServicePoint": "Circ Desk 1",
  "item.toServicePoint": "Circ Desk 2",
  "item.lastCheckedInDateTime": "Nov 24, 2026, 10:15 AM",
};

const REQUEST: Examples = {
  "request.servicePointPickup": "Circ Desk 1",
  "request.requestDate": "Nov 20, 2026, 9:00 AM",
  "request.requestExpirationDate": "Dec 20, 2026, 11:59 PM",
  "request.holdShelfExpirationDate": "Dec 1, 2026, 11:59 PM",
  "request.requestID": "2cf1e4a8",
  "request.patronComments": "Volume 2 only, please",
  "request.deliveryAddressType": "Home",
};

const SLIP: Examples = {
  ...ITEM,
  ...REQUEST,
  "requester.firstName": "Maria",
  "requester.preferredFirstName": "Mia",
  "requester.lastName": "Larsen",
  "requester.barcode": "21101000001234",
  "requester.patronGroup": "undergrad",
  "requester.addressLine1": "1 Harbour Street",
  "requester.city": "Copenhagen",
  "requester.postalCode": "1050",
  "borrower.firstName": "Maria",
  "borrower.lastName": "Larsen",
  "borrower.barcode": "21101000001234",
  "loan.dueDate": "Dec 22, 2026, 11:59 PM",
  "staffSlip.Name": "Hold",
  "staffSlip.currentDateTime": "Nov 24, 2026, 10:15 AM",
  "staffSlip.staffUsername": "desk1",
};

/** Tokens that are drawn as bar codes, and what they say. */
const BAR_CODES: Examples = {
  "item.barcodeImage": "30101000042390",
  "requester.barcodeImage": "21101000001234",
  "request.barcodeImage": "2cf1e4a8",
};

const NOTICE: Examples = {
  "user.firstName": "Maria",
  "user.preferredFirstName": "Mia",
  "user.lastName": "Larsen",
  "user.barcode": "21101000001234",
  ...ITEM,
  ...REQUEST,
  "loan.initialBorrowDate": "Nov 24, 2026",
  "loan.dueDate": "Dec 22, 2026",
  "loan.checkedInDate": "Dec 20, 2026",
  "loan.numberOfRenewalsAllowed": "3",
  "loan.numberOfRenewalsTaken": "1",
  "loan.numberOfRenewalsRemaining": "2",
  "loan.additionalInfo": "Please bring the map, too.",
  "feeCharge.owner": "Main Library",
  "feeCharge.type": "Overdue fine",
  "feeCharge.amount": "2.50",
  "feeCharge.remainingAmount": "2.50",
  "feeCharge.chargeDate": "Dec 20, 2026",
  "feeAction.type": "Paid fully",
  "feeAction.amount": "2.50",
  "feeAction.remainingAmount": "0.00",
  "feeAction.actionDate": "Dec 21, 2026",
};

/** What stands around the tokens of each loan or charge, where one message tells of several. */
const LISTS = ["#loans", "/loans", "#feeCharges", "/feeCharges"];

export function tokenNames(set: TokenSet): string[] {
  if (set === "slip") return [...Object.keys(SLIP), ...Object.keys(BAR_CODES)].sort();
  return [...Object.keys(NOTICE).sort(), ...LISTS];
}

export function exampleTokens(): SlipTokens {
  return new Map([
    ...Object.entries(SLIP).map(([name, text]) => [name, { text }] as const),
    ...Object.entries(BAR_CODES).map(([name, text]) => [name, { text, isBarCode: true }] as const),
  ]);
}

/** The same as the nested members that the server fills templates with; lists have one entry. */
export function exampleContext(): Record<string, unknown> {
  const context: Record<string, Record<string, string>> = {};
  for (const [name, text] of Object.entries(NOTICE)) {
    const [group = "", member = ""] = name.split(".");
    context[group] = { ...context[group], [member]: text };
  }
  const { item, loan, feeCharge } = context;
  return { ...context, loans: [{ item, loan }], feeCharges: [{ item, loan, feeCharge }] };
}

/** The tokens of a text that no record has. */
export function unknownTokens(text: string, set: TokenSet): string[] {
  const known = new Set(tokenNames(set));
  const used = [...text.matchAll(/{{{?\s*([^{}]*?)\s*}?}}/g)].map(([, name = ""]) => name);
  return [...new Set(used)].filter((name) => !known.has(name));
}
