/**
 * Names for the records and bodies of the API. `make types` generates their types from the server's own document
 * (`schema.d.ts`).
 */
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The paths with a POST. */
type Posts = { [P in keyof paths]: paths[P] extends { post: object } ? P : never }[keyof paths];

/** The JSON body of a POST to the path. */
export type Taken<P extends Posts> = paths[P] extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** The JSON answer to a GET of the path. */
export type Given<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

export type User = Schemas["User"];
export type ServicePoint = Schemas["ServicePoint"];
export type ManualBlock = Schemas["Manualblock"];
export type StaffSlip = Schemas["StaffSlip"];
export type Loan = Schemas["CirculationLoan"];
export type CheckInAnswer = Schemas["CirculationCheckIn"];
export type ServerStatus = Schemas["ServerStatus"];
/** One element of a 422 answer's `errors`. */
export type ErrorEntry = Schemas["Errors"]["errors"][number];

export type AutomatedBlock =
  Given<"/automated-patron-blocks/{userId}">["automatedPatronBlocks"][number];
export type CirculationSetting = Given<"/circulation/settings">["circulationSettings"][number];
/** The values for a staff slip (docs/folio/check-in.md#staff-slip-context). */
export type SlipContext = Given<"/circulation/pick-slips/{servicePointId}">["pickSlips"][number];

export type CheckInRequest = Taken<"/circulation/check-in-by-barcode">;
export type CheckOutRequest = Taken<"/circulation/check-out-by-barcode">;
export type EndSession = Taken<"/circulation/end-patron-action-session">["endSessions"][number];
export type PrintEvent = Taken<"/circulation/print-events-entry">;
export type OverrideBlocks = NonNullable<CheckOutRequest["overrideBlocks"]>;
/** The names of the blocks that a check-out can override (docs/folio/check-out.md#overriding). */
export type BlockName = Exclude<keyof OverrideBlocks, "comment">;
export type ClaimedReturnedResolution = NonNullable<CheckInRequest["claimedReturnedResolution"]>;
