/** A patron group of its own with a limit, so that the limit blocks nobody else. */
import { change } from "./library.mjs";
import { make } from "./thursdays.mjs";

/** FOLIO's condition: maximum number of items charged out. */
const CHARGED_OUT = "3d7c52dc-c732-4223-8bf8-e5917801386f";

/** Patrons of a new group with this name may have `most` items; more stops borrowing and requests. Returns its id. */
export async function limitedGroup(library, group, most) {
  await change(library, `/patron-block-conditions/${CHARGED_OUT}`, {
    ...{ blockBorrowing: true, blockRenewals: false, blockRequests: true },
    message: "Too many items",
  });
  const { id: patronGroupId } = await make(library, "/groups", { group });
  await make(library, "/patron-block-limits", {
    ...{ id: crypto.randomUUID(), patronGroupId, conditionId: CHARGED_OUT, value: most },
  });
  return patronGroupId;
}
