/** Opening hours, and the dates of fixed loans (docs/folio/calendars.md, docs/folio/policies.md). */
import { msg } from "../../../lib/i18n";
import type { Choice, Kind } from "../../records/kind";
import { DESCRIPTION, NAME } from "./common";

export const WEEKDAYS: readonly Choice[] = [
  { id: "MONDAY", name: msg("Monday") },
  { id: "TUESDAY", name: msg("Tuesday") },
  { id: "WEDNESDAY", name: msg("Wednesday") },
  { id: "THURSDAY", name: msg("Thursday") },
  { id: "FRIDAY", name: msg("Friday") },
  { id: "SATURDAY", name: msg("Saturday") },
  { id: "SUNDAY", name: msg("Sunday") },
];

export const CALENDARS: Kind = {
  id: "calendars",
  title: msg("Calendars"),
  one: msg("calendar"),
  path: "/calendar/calendars",
  list: "calendars",
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
        {
          as: "choices",
          path: "assignments",
          label: msg("Service points"),
          from: "service-points",
        },
      ],
    },
    {
      title: msg("Weekly hours"),
      fields: [
        {
          as: "rows",
          path: "normalHours",
          label: msg("Weekly openings"),
          one: msg("opening"),
          blank: { startDay: "MONDAY", endDay: "MONDAY" },
          fields: [
            {
              as: "choice",
              path: "startDay",
              label: msg("Opens on"),
              from: WEEKDAYS,
              required: true,
            },
            { as: "time", path: "startTime", label: msg("at"), required: true },
            {
              as: "choice",
              path: "endDay",
              label: msg("Closes on"),
              from: WEEKDAYS,
              required: true,
            },
            { as: "time", path: "endTime", label: msg("at"), required: true },
          ],
        },
      ],
    },
    {
      title: msg("Exceptions"),
      fields: [
        {
          as: "rows",
          path: "exceptions",
          label: msg("Exceptions"),
          one: msg("exception"),
          blank: { openings: [] },
          fields: [
            { as: "text", path: "name", label: msg("Name"), required: true },
            { as: "date", path: "startDate", label: msg("First day"), required: true },
            { as: "date", path: "endDate", label: msg("Last day"), required: true },
            {
              as: "rows",
              path: "openings",
              label: msg("Openings"),
              hint: msg("Without openings, it is closed."),
              one: msg("opening"),
              blank: {},
              fields: [
                { as: "date", path: "startDate", label: msg("Opens on"), required: true },
                { as: "time", path: "startTime", label: msg("at"), required: true },
                { as: "date", path: "endDate", label: msg("Closes on"), required: true },
                { as: "time", path: "endTime", label: msg("at"), required: true },
              ],
            },
          ],
        },
      ],
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
