import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIXED, fixed } from "./fixedValues";

const ROOT = join(import.meta.dirname, "../../..");
const text = (path: string) => readFileSync(join(ROOT, path), "utf8");
const API = JSON.parse(text("web/openapi.json"));

const member = (schema: string, ...path: string[]): string[] =>
  path.reduce((found, name) => found.properties[name], API.components.schemas[schema]).enum;

/** The names in a table of the documentation whose second column is an id. */
const named = (path: string): string[] =>
  [...text(path).matchAll(/^\| ([^|]+) \| [0-9a-f]{8}-[0-9a-f-]{27} /gm)].map(
    ([, name = ""]) => name,
  );

describe("every value that the contract fixes has a text", () => {
  test.each([
    ["itemStatus", member("InventoryItem", "status", "name")],
    ["requestStatus", member("CirculationRequest", "status")],
    ["requestType", member("CirculationRequest", "requestType")],
    ["useAtLocation", member("CirculationLoan", "forUseAtLocation", "status")],
    ["paymentStatus", member("Account", "paymentStatus", "name")],
    ["feeType", named("docs/folio/fees-fines.md")],
    ["blockCondition", named("docs/folio/patron-blocks.md")],
  ] as const)("of %s", (list, values) => {
    expect([...FIXED[list]].sort()).toEqual([...values].sort());
  });
});

/** Closed lists of the API whose values are no texts: the page words them where they are shown, or shows none of them. */
const WORDED_ELSEWHERE = [
  // How a total is counted.
  "auto",
  // The answers of the dialog for items that were claimed returned; the levels and ways of a request; phases of a consortium.
  "Found by library",
  "Item",
  "Hold Shelf",
  "Primary",
  // What a call does.
  "Check-out",
  "patronInfoAdded",
  "create",
  // Days of a calendar, states of e-mails, kinds of values of limits.
  "MONDAY",
  "DELIVERED",
  "Integer",
  // "Why?" says each in a sentence (features/why).
  "loan",
  "loanPeriod",
  "endOfSameDay",
  "policy",
  "foundByLibrary",
  "overdueFine",
  "checkOut",
  "borrowing",
  // Choices of forms, named in their declarations (features/settings/kinds, features/catalogue/forms).
  "Check in",
  "Due date",
  "Recall request",
  "Overdue fine returned",
  "Minutes",
  "minute",
  "Email",
  "One time",
  "Upon At",
  "Keep_the_current_due_date",
  "Keep_on_hold_shelf",
  // Where reference data come from, and the topics that a patron wants e-mails about.
  "folio",
  "Support",
];

test("a closed list that is new in the API is translated here, or known to be worded elsewhere", () => {
  const translated = Object.values(FIXED).map((list) => [...list].sort().join());
  const unknown = [...closedLists(API)].filter(
    (list) =>
      !translated.includes([...list].sort().join()) && !WORDED_ELSEWHERE.includes(list[0] ?? ""),
  );
  expect(unknown).toEqual([]);
});

function closedLists(of: unknown, found: Set<string[]> = new Set()): Set<string[]> {
  if (typeof of !== "object" || of === null) return found;
  for (const [name, value] of Object.entries(of)) {
    if (name === "enum" && Array.isArray(value)) found.add(value);
    else closedLists(value, found);
  }
  return found;
}

test("what a library names itself stays as it is", () => {
  expect(fixed("itemStatus", "At the binder's")).toBe("At the binder's");
  expect(fixed("feeType", "Locker key")).toBe("Locker key");
  expect(fixed("itemStatus", undefined)).toBe("");
});
