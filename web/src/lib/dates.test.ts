import { describe, expect, test } from "vitest";
import { clockOf, formatDate, formatDateTime, parseInstant } from "./dates";

const BERLIN = { locale: "en-GB", timeZone: "Europe/Berlin" };
const NEW_YORK = { locale: "en-US", timeZone: "America/New_York" };

/** Some ICU versions put a narrow no-break space before AM and PM. */
const plain = (text: string) => text.replace(/\s/g, " ");

describe("an instant from the server", () => {
  test.each([
    ["2022-12-09T23:59:59.000+00:00", "2022-12-09T23:59:59.000Z"],
    ["2022-12-09T23:59:59.000+0000", "2022-12-09T23:59:59.000Z"],
    ["2022-12-09T18:59:59-0500", "2022-12-09T23:59:59.000Z"],
    ["2022-12-09T23:59:59Z", "2022-12-09T23:59:59.000Z"],
    ["2022-12-09T23:59:59", "2022-12-09T23:59:59.000Z"],
    ["2022-12-09", "2022-12-09T00:00:00.000Z"],
  ])("%s", (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  test("that cannot be parsed is shown as it is", () => {
    expect(parseInstant("soon")).toBeUndefined();
    expect(formatDateTime("soon", BERLIN)).toBe("soon");
  });
});

describe("a due date on the library's clock", () => {
  test.each([
    ["2026-11-28T22:59:59.000+00:00", BERLIN, "28 Nov 2026, 23:59"],
    ["2026-07-28T21:59:59.000+00:00", BERLIN, "28 Jul 2026, 23:59"],
    ["2026-11-29T04:59:59.000Z", NEW_YORK, "Nov 28, 2026, 11:59 PM"],
  ])("%s", (text, clock, words) => {
    expect(plain(formatDateTime(text, clock))).toBe(words);
  });

  test("without the time of day", () => {
    expect(formatDate("2026-11-29T04:59:59.000Z", NEW_YORK)).toBe("Nov 28, 2026");
  });
});

describe("a tenant's clock", () => {
  test("is taken from its locale settings", () => {
    expect(clockOf({ locale: "en-GB", timezone: "Europe/Berlin" })).toEqual(BERLIN);
  });

  test.each([undefined, {}, { locale: "not a locale", timezone: "Nowhere/Land" }])(
    "is the server's default for %o",
    (settings) => {
      expect(clockOf(settings)).toEqual({ locale: "en-US", timeZone: "UTC" });
    },
  );
});
