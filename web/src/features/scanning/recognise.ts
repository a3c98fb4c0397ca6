/**
 * What kind of thing a barcode belongs to, found by asking and never by its form: libraries give the same forms to both.
 * The call for what the desk expects comes first and is nearly always the only one; the other kind is looked up when the
 * first answer is that there is no such thing.
 */
import { findItem, findUsersByBarcode } from "../../api/endpoints";
import { RefusedError } from "../../api/errors";
import type { User } from "../../api/types";

/** Whether a check-out or check-in was refused because no item has the barcode. */
export function isUnknownItem(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return false;
  return error.entries.some(
    ({ code, message }) =>
      code === "ITEM_BARCODE_NOT_FOUND" ||
      /^No item with barcode .* (could be found|exists)$/.test(message),
  );
}

export async function patronWith(barcode: string): Promise<User | undefined> {
  return (await findUsersByBarcode(barcode)).users[0];
}

/** Why a barcode is no patron's: it is an item's, or nobody's. */
export async function notAPatron(barcode: string): Promise<RefusedError> {
  const item = await findItem(barcode);
  return item
    ? refusal(
        "ITEM_BEFORE_PATRON",
        "An item was scanned before a patron",
        "title",
        item.title ?? "",
      )
    : refusal(
        "USER_BARCODE_NOT_FOUND",
        "Could not find user with matching barcode",
        "userBarcode",
        barcode,
      );
}

/** In the shape of the server's own refusals, so that all are worded in one place. */
function refusal(code: string, message: string, key: string, value: string): RefusedError {
  return new RefusedError(422, [{ message, code, parameters: [{ key, value }] }]);
}
