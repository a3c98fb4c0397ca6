import { describe, expect, test } from "vitest";
import { copied, exceptionsInWords, openingsOn, weekInWords, withChanges } from "./week";

const opening = (startDay: string, startTime: string, endTime: string, endDay = startDay) => ({
  startDay,
  startTime: `${startTime}:00`,
  endDay,
  endTime: `${endTime}:00`,
});

const CLOCK = { timeZone: "UTC", locale: "en-GB" };

describe("a week", () => {
  test("is told by runs of days with the same hours", () => {
    const days = ["MONDAY", "TUESDAY", "WEDNESDAY", "FRIDAY"];
    const week = days.map((day) => opening(day, "08:00", "20:00"));
    expect(weekInWords([...week, opening("THURSDAY", "12:00", "20:00")])).toEqual([
      "Monday–Wednesday: 08:00–20:00",
      "Thursday: 12:00–20:00",
      "Friday: 08:00–20:00",
      "Saturday–Sunday: closed",
    ]);
  });

  test("tells openings by their times, and those beyond midnight with their end's day", () => {
    const week = [
      opening("MONDAY", "13:00", "17:00"),
      opening("MONDAY", "08:00", "12:00"),
      opening("TUESDAY", "20:00", "02:00", "WEDNESDAY"),
    ];
    expect(weekInWords(week).slice(0, 3)).toEqual([
      "Monday: 08:00–12:00, 13:00–17:00",
      "Tuesday: 20:00–Wednesday 02:00",
      "Wednesday–Sunday: closed",
    ]);
  });

  test("keeps the places of openings in the record", () => {
    const week = [opening("TUESDAY", "08:00", "12:00"), opening("MONDAY", "08:00", "12:00")];
    expect(openingsOn(week, "MONDAY").map(({ index }) => index)).toEqual([1]);
  });

  test("copies a day to another one, over midnight and over the end of the week", () => {
    const week = [
      opening("SATURDAY", "22:00", "04:00", "SUNDAY"),
      opening("SUNDAY", "08:00", "9:00"),
    ];
    expect(copied(week, "SATURDAY", "SUNDAY")).toEqual([
      week[0],
      opening("SUNDAY", "22:00", "04:00", "MONDAY"),
    ]);
  });
});

describe("exceptions", () => {
  const day = (name: string, startDate: string, endDate = startDate) => ({
    name,
    startDate,
    endDate,
  });

  test("are told with their dates and hours", () => {
    const hours = {
      startDate: "2026-12-24",
      startTime: "08:00:00",
      endDate: "2026-12-24",
      endTime: "12:00:00",
    };
    const exceptions = [
      { ...day("Eve", "2026-12-24"), openings: [hours] },
      { ...day("Holidays", "2026-12-25", "2026-12-27"), openings: [] },
      {
        ...day("Fair", "2026-12-28", "2026-12-29"),
        openings: [{ ...hours, startDate: "2026-12-28", endDate: "2026-12-29" }],
      },
    ];
    expect(exceptionsInWords(exceptions, CLOCK)).toEqual([
      "Eve: 24 Dec 2026: 08:00–12:00",
      "Holidays: 25 Dec 2026 – 27 Dec 2026: closed",
      "Fair: 28 Dec 2026 – 29 Dec 2026: 28 Dec 2026 08:00 – 29 Dec 2026 12:00",
    ]);
  });

  test("of a single day take their openings along to another day", () => {
    const openings = [{ startDate: "2026-01-01", startTime: "08:00:00" }];
    const moved = withChanges({ ...day("", "2026-01-01"), openings }, day("", "2026-01-02"));
    expect(moved.openings).toEqual([
      { startDate: "2026-01-02", startTime: "08:00:00", endDate: "2026-01-02" },
    ]);
  });

  test("of several days keep the days of their openings", () => {
    const openings = [{ startDate: "2026-01-02" }];
    const exception = { ...day("", "2026-01-01", "2026-01-03"), openings };
    expect(withChanges(exception, { endDate: "2026-01-04" }).openings).toEqual(openings);
  });
});
