import { describe, expect, test } from "vitest";
import { ConnectionLostError, errorOfAnswer, RefusedError } from "../api/errors";
import { inWords, reasonsInWords } from "./wording";

const refused = (...errors: object[]) => errorOfAnswer(422, { errors });

describe("a refusal in words", () => {
  test.each([
    [
      {
        message: "Could not find user with matching barcode",
        code: "USER_BARCODE_NOT_FOUND",
        parameters: [{ key: "userBarcode", value: "77" }],
      },
      "No patron has the barcode 77.",
    ],
    [
      {
        message: "Patron blocked from borrowing",
        code: "USER_IS_BLOCKED_MANUALLY",
        parameters: [{ key: "reason", value: "Unpaid invoice" }],
      },
      "The patron is blocked from borrowing: Unpaid invoice.",
    ],
    [
      {
        message: "No item with barcode 12 34 could be found",
        parameters: [{ key: "itemBarcode", value: "12 34" }],
      },
      "No item has the barcode 12 34.",
    ],
    [
      { message: "No item with barcode 99 exists", code: "ITEM_BARCODE_NOT_FOUND", parameters: [] },
      "No item has the barcode 99.",
    ],
    [
      {
        message:
          "Cannot delete groups.id = 503a81cd because id is still referenced from table users.",
      },
      "It is in use and cannot be deleted.",
    ],
    [
      { message: "A Location's Primary Service point must be included as a Service Point." },
      "The primary service point must be one of the location's service points.",
    ],
    [{ message: "Item is already checked out" }, "The item is already checked out."],
    [
      { message: "Box 7 [Barcode: 12] is on loan; check it in first" },
      "Box 7 [Barcode: 12] is on loan. Check it in first.",
    ],
    [
      { message: "Box 7 [Barcode: 12] has open requests; fill or cancel them first" },
      "Box 7 [Barcode: 12] has open requests. Fill or cancel them first.",
    ],
    [
      {
        message: "Cannot check out item that already has an open loan",
        code: "ITEM_HAS_OPEN_LOAN",
      },
      "The item already has an open loan.",
    ],
    [
      {
        message: "Item is not loanable",
        code: "ITEM_NOT_LOANABLE",
        parameters: [{ key: "loanPolicyName", value: "Reference" }],
      },
      "This item is not for loan: loan policy Reference.",
    ],
    [{ message: "Item is not loanable", code: "ITEM_NOT_LOANABLE" }, "This item is not for loan."],
    [
      { message: "Cannot check out to inactive user" },
      "The patron's record is inactive or has expired.",
    ],
    [
      {
        message: "Insufficient override permissions",
        code: "INSUFFICIENT_OVERRIDE_PERMISSIONS",
        overridableBlock: {
          name: "patronBlock",
          missingPermissions: ["circulation.override-patron-block.post"],
        },
      },
      "You are not allowed to override this: missing permission circulation.override-patron-block.post.",
    ],
    [
      {
        message: "Wrong username or wrong password or account blocked",
        code: "wrong.username.or.wrong.password.or.account.blocked",
      },
      "The user name or the password is wrong, or the account is locked.",
    ],
  ])("%o", (entry, words) => {
    expect(reasonsInWords(refused(entry))).toEqual([words]);
  });

  test("gives all reasons in the server's order, without duplicates", () => {
    const error = refused(
      { message: "Item is already checked out" },
      {
        message: "Cannot check out item that already has an open loan",
        code: "ITEM_HAS_OPEN_LOAN",
      },
      { message: "Item is already checked out" },
    );
    expect(reasonsInWords(error)).toEqual([
      "The item is already checked out.",
      "The item already has an open loan.",
    ]);
  });

  test("keeps the server's words if there are no better ones", () => {
    const message = "Patron has reached maximum limit of 5 items for material type";
    expect(inWords(refused({ message, code: "ITEM_LIMIT_MATERIAL_TYPE" }))).toBe(`${message}.`);
  });

  test("survives malformed answers", () => {
    expect(inWords(errorOfAnswer(422, { errors: [null, 3, {}] }))).toBe(
      "The server refused this (status 422).",
    );
    expect(inWords(errorOfAnswer(404, undefined))).toBe("The server refused this (status 404).");
    expect(
      inWords(
        new RefusedError(422, [{ message: "Odd", parameters: [{ key: "reason", value: null }] }]),
      ),
    ).toBe("Odd.");
    expect(inWords("thrown text")).toBe("Something unexpected went wrong.");
  });
});

describe("the other failures in words", () => {
  test("a missing permission is named", () => {
    const text =
      "Access for user 'desk' (0c) requires permission: circulation.check-in-by-barcode.post";
    expect(inWords(errorOfAnswer(403, text))).toBe(
      "You are not allowed to do this: missing permission circulation.check-in-by-barcode.post.",
    );
  });

  test("a server's failure shows its text", () => {
    expect(
      inWords(
        errorOfAnswer(500, "Loan policy x could not be found, please check circulation rules"),
      ),
    ).toBe(
      "The server failed to do this: Loan policy x could not be found, please check circulation rules.",
    );
  });

  test("an unknown library is named", () => {
    expect(inWords(errorOfAnswer(400, "No such Tenant nowhere"))).toBe(
      "There is no library named “nowhere” here.",
    );
  });

  test.each([
    [401, "Invalid token", "Your session has expired. Sign in again."],
    [
      400,
      "Token missing, access requires permission: x",
      "Your session has expired. Sign in again.",
    ],
    [503, "", "The server does not answer. Check the network; nothing you scanned is lost."],
  ])("status %i %s", (status, body, words) => {
    expect(inWords(errorOfAnswer(status, body))).toBe(words);
  });

  test("no answer at all", () => {
    expect(inWords(new ConnectionLostError())).toMatch(/^The server does not answer\./);
  });
});
