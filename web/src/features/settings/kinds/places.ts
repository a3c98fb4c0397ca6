/** Service points and the tree of locations (docs/folio/locations-and-service-points.md). */
import { msg } from "../../../lib/i18n";
import type { Choice, Kind } from "../../records/kind";
import { CODE, DESCRIPTION, is, NAME, PERIODS } from "./common";

const HOLD_SHELF_CLOSED: readonly Choice[] = [
  { id: "Keep_the_current_due_date", name: msg("Keep the day, at its end") },
  { id: "Keep_the_current_due_date_time", name: msg("Keep the day and time") },
  {
    id: "Move_to_the_end_of_the_previous_open_day",
    name: msg("Move to the end of the previous open day"),
  },
  { id: "Move_to_the_end_of_the_next_open_day", name: msg("Move to the end of the next open day") },
  {
    id: "Move_to_end_of_current_service_point_hours",
    name: msg("Move to the end of the current opening hours"),
  },
  {
    id: "Move_to_beginning_of_next_open_service_point_hours",
    name: msg("Move to the beginning of the next opening hours"),
  },
];

const AT_LOCATION: readonly Choice[] = [
  { id: "Keep_on_hold_shelf", name: msg("Keep the item on the hold shelf") },
  { id: "Close_loan_and_return_item", name: msg("End the loan") },
  { id: "Ask_for_action", name: msg("Ask each time") },
];

const PICKUP = is("pickupLocation", true);

export const SERVICE_POINTS: Kind = {
  id: "service-points",
  title: msg("Service points"),
  one: msg("service point"),
  path: "/service-points",
  list: "servicepoints",
  affects: ["service-points", "pickup-service-points"],
  columns: [
    { label: msg("Name"), path: "name" },
    { label: msg("Code"), path: "code" },
    { label: msg("Pickup"), path: "pickupLocation" },
    { label: msg("Hold shelf"), path: "holdShelfExpiryPeriod" },
  ],
  blank: { pickupLocation: false },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        CODE,
        {
          as: "text",
          path: "discoveryDisplayName",
          label: msg("Name for patrons"),
          required: true,
        },
        DESCRIPTION,
        {
          as: "number",
          path: "shelvingLagTime",
          label: msg("Minutes until a returned item is on the shelf"),
          least: 0,
        },
      ],
    },
    {
      title: msg("Pickup"),
      fields: [
        { as: "switch", path: "pickupLocation", label: msg("Requested items are picked up here") },
        {
          as: "period",
          path: "holdShelfExpiryPeriod",
          label: msg("Time on the hold shelf"),
          units: PERIODS,
          required: true,
          when: PICKUP,
        },
        {
          as: "choice",
          path: "holdShelfClosedLibraryDateManagement",
          label: msg("If the hold shelf time ends while it is closed"),
          from: HOLD_SHELF_CLOSED,
          when: PICKUP,
        },
        {
          as: "choice",
          path: "defaultCheckInActionForUseAtLocation",
          label: msg("At check-in of items for use in the library"),
          from: AT_LOCATION,
        },
      ],
    },
    {
      title: msg("Printing"),
      fields: [
        {
          as: "rows",
          path: "staffSlips",
          label: msg("Staff slips"),
          one: msg("slip"),
          blank: { printByDefault: true },
          fields: [
            { as: "choice", path: "id", label: msg("Slip"), from: "staff-slips", required: true },
            {
              as: "switch",
              path: "printByDefault",
              label: msg("Print without being asked"),
              required: true,
            },
          ],
        },
      ],
    },
  ],
};

const CODED = [
  { label: msg("Name"), path: "name" },
  { label: msg("Code"), path: "code" },
];

export const INSTITUTIONS: Kind = {
  id: "institutions",
  title: msg("Institutions"),
  one: msg("institution"),
  path: "/location-units/institutions",
  list: "locinsts",
  affects: ["institutions"],
  columns: CODED,
  blank: {},
  sections: [{ title: msg("About"), fields: [NAME, CODE] }],
};

export const CAMPUSES: Kind = {
  id: "campuses",
  title: msg("Campuses"),
  one: msg("campus"),
  path: "/location-units/campuses",
  list: "loccamps",
  affects: ["campuses"],
  columns: [...CODED, { label: msg("Institution"), path: "institutionId" }],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        CODE,
        {
          as: "choice",
          path: "institutionId",
          label: msg("Institution"),
          from: "institutions",
          required: true,
        },
      ],
    },
  ],
};

export const LIBRARIES: Kind = {
  id: "libraries",
  title: msg("Libraries"),
  one: msg("library"),
  path: "/location-units/libraries",
  list: "loclibs",
  affects: ["libraries"],
  columns: [...CODED, { label: msg("Campus"), path: "campusId" }],
  blank: {},
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        CODE,
        { as: "choice", path: "campusId", label: msg("Campus"), from: "campuses", required: true },
      ],
    },
  ],
};

export const LOCATIONS: Kind = {
  id: "locations",
  title: msg("Locations"),
  one: msg("location"),
  path: "/locations",
  list: "locations",
  affects: ["locations"],
  columns: [
    ...CODED,
    { label: msg("Library"), path: "libraryId" },
    { label: msg("Campus"), path: "campusId" },
    { label: msg("Active"), path: "isActive" },
  ],
  blank: { isActive: true, servicePointIds: [] },
  sections: [
    {
      title: msg("About"),
      fields: [
        NAME,
        CODE,
        { as: "text", path: "discoveryDisplayName", label: msg("Name for patrons") },
        DESCRIPTION,
        { as: "switch", path: "isActive", label: msg("Active") },
        { as: "switch", path: "isFloatingCollection", label: msg("Floating collection") },
      ],
    },
    {
      title: msg("Place"),
      fields: [
        {
          as: "choice",
          path: "institutionId",
          label: msg("Institution"),
          from: "institutions",
          required: true,
        },
        {
          as: "choice",
          path: "campusId",
          label: msg("Campus"),
          from: "campuses",
          within: { path: "institutionId", label: msg("Institution") },
          required: true,
        },
        {
          as: "choice",
          path: "libraryId",
          label: msg("Library"),
          from: "libraries",
          within: { path: "campusId", label: msg("Campus") },
          required: true,
        },
      ],
    },
    {
      title: msg("Service points"),
      fields: [
        {
          as: "choices",
          path: "servicePointIds",
          label: msg("Service points"),
          from: "service-points",
          required: true,
        },
        {
          as: "choice",
          path: "primaryServicePoint",
          label: msg("Primary service point"),
          from: "service-points",
          within: { path: "servicePointIds", label: msg("Service points") },
          required: true,
        },
      ],
    },
  ],
};
