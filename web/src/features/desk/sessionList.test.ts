import { expect, test } from "vitest";
import { CHECK_IN, ITEM } from "../../api/samples";
import { DEFAULT_CLOCK } from "../../lib/dates";
import type { DeskScan } from "./scan";
import { csvOf, listOfReturns } from "./sessionList";

test("a file for spreadsheets quotes what needs it and computes nothing", () => {
  const rows = [
    ["plain", "with, comma", 'with "quotes"'],
    ["=1+1", "-5", "two\nlines"],
  ];
  expect(csvOf(rows)).toBe('plain,"with, comma","with ""quotes"""\r\n\'=1+1,\'-5,"two\nlines"\r\n');
});

test("the list has the items that came back, and no others", () => {
  const scan = {
    id: 1,
    barcode: "a",
    scannedAt: new Date("2026-01-01T12:00:00Z"),
    options: { mode: "return", servicePointId: "desk" },
    state: "answered",
    inDoubt: false,
  } as const;
  const item = { ...ITEM, title: "A title", location: { name: "Stacks" } };
  const scans: DeskScan[] = [
    { ...scan, answer: { patron: { id: "reader" } } },
    { ...scan, answer: { returned: { ...CHECK_IN, item } } },
  ];
  const [headings, row, ...others] = listOfReturns(scans, DEFAULT_CLOCK);
  expect(others).toEqual([]);
  expect(row).toHaveLength(headings?.length ?? 0);
  expect(row?.slice(2, 8)).toEqual(["a", "A title", "", "", "Stacks", "Available at Stacks"]);
});
