/** Opening hours, and the dates of fixed loans (docs/folio/calendars.md, docs/folio/policies.md). */
import { msg } from "../../../lib/i18n";
import type { Kind } from "../../records/kind";
import { DESCRIPTION, NAME } from "./common";

export const CALENDARS: Kind = {
  id: "calendars",
  title: msg("Calendars"),
  one: msg("calendar"),
  path: "/calendar/calendars",
  list: "calendars",
  toldBy: ["name", "startDate", "endDate"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("From"), path: "startDate" },
    { label: msg("To"), path: "endDate" },
    { label: msg("Service points"), path: "assignments" },
  ],
  blank: { assignments: [], normalHours: [], exceptions: [] },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        { as: "date", path: "startDate", label: msg("First day"), required: true },
        { as: "date", path: "endDate", label: msg("Last day"), required: true },
      ],
    },
    {
      title: msg("Service points"),
      fields: [
        {
          as: "choices",
          path: "assignments",
          label: msg("These hours apply at"),
          from: "service-points",
        },
      ],
    },
    {
      title: msg("Weekly hours"),
      fields: [{ as: "week", path: "normalHours", label: msg("Open") }],
    },
    {
      title: msg("Exceptions"),
      fields: [{ as: "exceptions", path: "exceptions", label: msg("Instead of the weekly hours") }],
    },
  ],
};

export const SCHEDULES: Kind = {
  id: "fixed-due-date-schedules",
  title: msg("Fixed due date schedules"),
  one: msg("schedule"),
  path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
  list: "fixedDueDateSchedules",
  affects: ["fixed-due-date-schedules"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Description"), path: "description" },
  ],
  blank: { schedules: [] },
  sections: [
    { title: msg("About"), fields: [NAME, DESCRIPTION] },
    {
      title: msg("Dates"),
      fields: [
        {
          as: "rows",
          path: "schedules",
          label: msg("Date ranges"),
          one: msg("range"),
          blank: {},
          fields: [
            { as: "day", at: "start", path: "from", label: msg("Lent from"), required: true },
            { as: "day", at: "end", path: "to", label: msg("Lent until"), required: true },
            { as: "day", at: "end", path: "due", label: msg("Due on"), required: true },
          ],
        },
      ],
    },
  ],
};
