import { expect, test } from "vitest";
import { withRecord } from "./seen";

test("a record seen again moves to the front", () => {
  const [a, b] = [
    { path: "/patrons/1", label: "Abbott" },
    { path: "/patrons/2", label: "Baker" },
  ];
  expect(withRecord([b, a], { ...a, label: "Abbot" })).toEqual([{ ...a, label: "Abbot" }, b]);
});
