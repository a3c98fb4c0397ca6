import { describe, expect, test } from "vitest";
import { BORROWER, ITEM, LOAN, SLIP } from "../../api/samples";
import { tokensOf } from "./slip";

const printing = {
  username: "desk_user",
  printedAt: "2026-01-02T03:04:00.000Z",
  clock: { locale: "en-US", timeZone: "America/New_York" },
};

const context = {
  item: { title: "A title", barcode: "100", instanceHrid: "in1", numberOfPieces: "2" },
  request: { requestID: "r-1", holdShelfExpirationDate: "2026-02-01T04:59:00.000+00:00" },
  requester: { firstName: "First", barcode: "77", region: "NY", postalCode: "1", countryId: "DE" },
  currentDateTime: "2026-01-01T12:00:00.000Z",
};

const values = (slip: Parameters<typeof tokensOf>[0]) =>
  Object.fromEntries([...tokensOf(slip, printing)].map(([name, { text }]) => [name, text]));

describe("the tokens of a slip with a request", () => {
  const tokens = tokensOf({ name: "Hold", context }, printing);

  test.each([
    ["item.title", "A title"],
    ["item.numberOfPieces", "2"],
    ["request.holdShelfExpirationDate", "Jan 31, 2026, 11:59 PM"],
    ["requester.preferredFirstName", "First"],
    ["requester.stateProvRegion", "NY"],
    ["requester.zipPostalCode", "1"],
    ["requester.country", "Germany"],
    ["staffSlip.Name", "Hold"],
    ["staffSlip.currentDateTime", "Jan 1, 2026, 7:00 AM"],
    ["staffSlip.staffUsername", "desk_user"],
  ])("%s is %s", (name, text) => {
    const token = tokens.get(name);
    expect(token?.text.replaceAll("\u202f", " ")).toBe(text);
    expect(token?.isBarCode).toBeUndefined();
  });

  test.each([
    ["item.barcodeImage", "100"],
    ["item.instanceHridImage", "in1"],
    ["request.barcodeImage", "r-1"],
    ["requester.barcodeImage", "77"],
  ])("%s is a bar code of %s", (name, text) => {
    expect(tokens.get(name)).toEqual({ text, isBarCode: true });
  });
});

test("a slip without a request has no request tokens", () => {
  const names = Object.keys(values({ name: "Transit", context: { ...SLIP, item: context.item } }));
  expect(names.filter((name) => name.startsWith("request"))).toEqual([]);
});

test("a receipt has loan, item and borrower, with lists joined as in FOLIO", () => {
  const loan = {
    ...LOAN,
    dueDate: "2026-02-01T04:59:00.000+00:00",
    borrower: { ...BORROWER, firstName: "First", lastName: "Reader" },
    patronGroupAtCheckout: { id: "group", name: "staff" },
    item: {
      ...ITEM,
      title: "A title",
      barcode: "100",
      copyNumber: "2",
      contributors: [{ name: "One" }, { name: "Two" }],
      callNumberComponents: { prefix: "Ref" },
      materialType: { name: "book" },
      editions: ["1st", "2nd"],
      seriesStatements: ["S1", "S2"],
    },
  };
  const receipt = values({ name: "Due date receipt", loan });
  expect(receipt["loan.dueDate"]?.replaceAll("\u202f", " ")).toBe("Jan 31, 2026, 11:59 PM");
  expect(receipt).toMatchObject({
    "borrower.firstName": "First",
    "borrower.lastName": "Reader",
    "borrower.patronGroup": "staff",
    "item.allContributors": "One, Two",
    "item.barcodeImage": "100",
    "item.callNumberPrefix": "Ref",
    "item.copy": "2",
    "item.editions": "1st/2nd",
    "item.materialType": "book",
    "item.seriesStatements": "S1 / S2",
    "item.title": "A title",
  });
  expect(receipt).not.toHaveProperty("borrower.middleName");
});
