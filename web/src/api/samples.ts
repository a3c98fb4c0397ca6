/** Records with only their required members, for tests. */
import type { CheckInAnswer, Loan, ManualBlock, SlipContext } from "./types";

export const ITEM = { id: "item", instanceId: "instance", status: { name: "Available" } };

export const LOAN: Loan = { id: "loan", itemId: "item", loanDate: "", action: "checkedout" };

export const BORROWER = {
  firstName: null,
  lastName: null,
  middleName: null,
  preferredFirstName: null,
  barcode: null,
  patronGroup: null,
};

export const SLIP: SlipContext = { item: {}, currentDateTime: "" };

export const CHECK_IN: CheckInAnswer = { item: ITEM, staffSlipContext: SLIP, inHouseUse: false };

export const BLOCK: ManualBlock = { id: "block", userId: "user", desc: "" };
