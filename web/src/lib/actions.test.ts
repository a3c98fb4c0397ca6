import { expect, test } from "vitest";
import { inOrder } from "./actions";

test("the actions of the page come first, then places, then the application's", () => {
  const run = () => undefined;
  const actions = [
    { label: "Sign out", run, kind: "app" as const },
    { label: "Patrons", run, kind: "go" as const },
    { label: "Renew", run },
    { label: "Print", run, kind: "page" as const },
  ];
  expect(inOrder(actions).map(({ label }) => label)).toEqual([
    "Renew",
    "Print",
    "Patrons",
    "Sign out",
  ]);
});
