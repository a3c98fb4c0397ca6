import { describe, expect, test } from "vitest";
import { centsOf, decimalOf, formatMoney, sumOf } from "./money";

test.each([
  ["12.5", 1250n],
  ["12,50", 1250n],
  [" 0.07 ", 7n],
  [0.1, 10n],
  [35, 3500n],
  ["-3.20", -320n],
  ["999999999999.99", 99999999999999n],
  ["1.005", undefined],
  ["1,000.00", undefined],
  ["1e3", undefined],
  ["", undefined],
  [undefined, undefined],
])("the amount %s", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

test.each([
  [0n, "0.00"],
  [7n, "0.07"],
  [1250n, "12.50"],
  [-320n, "-3.20"],
])("%s cents for the server", (cents, text) => {
  expect(decimalOf(cents)).toBe(text);
});

describe("a sum", () => {
  test("of amounts that floats cannot add", () => {
    expect(sumOf([0.1, 0.2, "0.30"])).toBe(60n);
  });

  test("leaves out what is no amount", () => {
    expect(sumOf([undefined, "x", 2])).toBe(200n);
  });
});

test("money as the library writes it", () => {
  expect(formatMoney(123456n, { locale: "en-US", currency: "USD" })).toBe("$1,234.56");
  expect(formatMoney(5n, { locale: "de", currency: "EUR" }).replace(/\s/, " ")).toBe("0,05 €");
});
