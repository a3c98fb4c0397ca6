import { expect, test, vi } from "vitest";
import { RefusedError } from "../../api/errors";
import * as fees from "../../api/fees";
import { accountOf, type Charge, chargeFee, firstMovementOf, ownerAt, typesOf } from "./charge";

vi.mock("../../api/fees");

const OWNER = { id: "main", owner: "Main Library", servicePointOwner: [{ value: "desk" }] };
const TYPE = { id: "key", feeFineType: "Lost key" };
const CHARGE: Charge = {
  id: "fee",
  userId: "reader",
  owner: OWNER,
  type: TYPE,
  cents: 1250n,
  notify: true,
  servicePointId: "desk",
  source: "Desk, Anna",
};

test("a charge owes its whole amount", () => {
  expect(accountOf(CHARGE)).toMatchObject({
    amount: 12.5,
    remaining: 12.5,
    status: { name: "Open" },
    feeFineType: "Lost key",
    feeFineOwner: "Main Library",
  });
  expect(firstMovementOf(CHARGE, new Date("2026-01-01T00:00:00Z"))).toEqual({
    id: "fee",
    accountId: "fee",
    userId: "reader",
    dateAction: "2026-01-01T00:00:00.000Z",
    typeAction: "Lost key",
    amountAction: 12.5,
    balance: 12.5,
    createdAt: "desk",
    source: "Desk, Anna",
    notify: true,
  });
});

test("staff charge the owner's types and those of nobody, but no automatic ones", () => {
  const types = [
    TYPE,
    { id: "own", feeFineType: "Own", ownerId: "main" },
    { id: "other", feeFineType: "Other", ownerId: "law" },
    { id: "auto", feeFineType: "Overdue fine", automatic: true },
  ];
  expect(typesOf(OWNER, types).map(({ id }) => id)).toEqual(["key", "own"]);
  expect(typesOf(undefined, types)).toEqual([]);
});

test("the service point has an owner", () => {
  expect(ownerAt("desk", [{ id: "x" }, OWNER])).toBe(OWNER);
  expect(ownerAt("elsewhere", [OWNER])).toBeUndefined();
});

test("a charge that is repeated makes what is missing", async () => {
  vi.mocked(fees.createAccount).mockRejectedValue(new RefusedError(422, []));
  vi.mocked(fees.listAccounts).mockResolvedValue([{ ...accountOf(CHARGE), id: "fee" }]);
  await chargeFee(CHARGE);
  expect(fees.createMovement).toHaveBeenCalledTimes(1);
});
