/**
 * The records the desk reads and writes, as docs/folio/check-out.md, docs/folio/check-in.md,
 * docs/folio/composite-users.md#the-composite and docs/folio/locations-and-service-points.md#service-point-records
 * describe them, with the members this application uses.
 */

export interface Personal {
  lastName?: string;
  firstName?: string;
  middleName?: string;
  preferredFirstName?: string;
}

export interface User {
  id: string;
  username?: string;
  barcode?: string;
  active?: boolean;
  expirationDate?: string;
  patronGroup?: string;
  personal?: Personal;
}

export interface UserList {
  users: User[];
  totalRecords: number;
}

export interface PatronGroup {
  id: string;
  group: string;
  desc?: string;
}

export interface ServicePoint {
  id: string;
  name: string;
  code?: string;
  discoveryDisplayName?: string;
}

export interface ServicePointList {
  servicepoints: ServicePoint[];
  totalRecords: number;
}

export interface Credentials {
  username: string;
  password: string;
}

/** The answer of `POST /bl-users/login`; the token is in the header `x-okapi-token`. */
export interface LoginAnswer {
  user: User;
  servicePointsUser?: {
    servicePointsIds?: string[];
    servicePoints?: ServicePoint[];
    defaultServicePointId?: string;
  };
}

export interface TenantLocale {
  locale: string;
  timezone: string;
}

export interface ManualBlock {
  id: string;
  desc: string;
  patronMessage?: string;
  staffInformation?: string;
  expirationDate?: string;
  borrowing?: boolean;
  renewals?: boolean;
  requests?: boolean;
}

export interface ManualBlockList {
  manualblocks: ManualBlock[];
}

export interface AutomatedBlock {
  patronBlockConditionId: string;
  blockBorrowing: boolean;
  blockRenewals: boolean;
  blockRequests: boolean;
  message: string;
}

export interface AutomatedBlockList {
  automatedPatronBlocks: AutomatedBlock[];
}

export interface Item {
  id?: string;
  title?: string;
  barcode?: string;
  instanceHrid?: string;
  callNumber?: string;
  callNumberComponents?: { prefix?: string | null; suffix?: string | null };
  copyNumber?: string;
  primaryContributor?: string;
  contributors?: { name: string }[];
  administrativeNotes?: string[];
  datesOfPublication?: string[];
  editions?: string[];
  physicalDescriptions?: string[];
  seriesStatements?: string[];
  status?: { name: string };
  location?: { name: string };
  materialType?: { name: string };
  inTransitDestinationServicePoint?: { id?: string; name: string };
}

export interface ItemList {
  items: { id: string }[];
  totalRecords: number;
}

export interface Borrower {
  firstName?: string | null;
  lastName?: string | null;
  middleName?: string | null;
  preferredFirstName?: string | null;
  barcode?: string | null;
}

export interface Loan {
  id: string;
  userId?: string;
  loanDate: string;
  dueDate: string;
  returnDate?: string;
  action?: string;
  item: Item;
  borrower?: Borrower;
  patronGroupAtCheckout?: { id?: string; name?: string };
  loanPolicy?: { name?: string };
  dueDateChangedByHold?: boolean;
  dueDateChangedByNearExpireUser?: boolean;
}

export interface LoanList {
  loans: Loan[];
  totalRecords: number;
}

/** The names of the blocks a check-out can override (docs/folio/check-out.md#overriding). */
export type BlockName = "patronBlock" | "itemLimitBlock" | "itemNotLoanableBlock";

export interface OverrideBlocks {
  comment: string;
  patronBlock?: Record<string, never>;
  itemLimitBlock?: Record<string, never>;
  itemNotLoanableBlock?: { dueDate: string };
}

export interface CheckOutRequest {
  itemBarcode: string;
  userBarcode: string;
  servicePointId: string;
  overrideBlocks?: OverrideBlocks;
}

export type ClaimedReturnedResolution = "Found by library" | "Returned by patron";

export interface CheckInRequest {
  itemBarcode: string;
  servicePointId: string;
  checkInDate: string;
  claimedReturnedResolution?: ClaimedReturnedResolution;
}

export interface CheckInAnswer {
  loan?: Loan;
  item: Item;
  inHouseUse?: boolean;
  staffSlipContext?: SlipContext;
}

/**
 * What a staff slip is filled with (docs/folio/check-in.md#staff-slip-context). There are more members
 * than these, each of them a token of the slip.
 */
export interface SlipContext {
  item?: {
    title?: string;
    barcode?: string;
    instanceHrid?: string;
    callNumber?: string;
    shelvingOrder?: string;
    effectiveLocationSpecific?: string;
    fromServicePoint?: string;
    toServicePoint?: string;
  };
  requester?: {
    firstName?: string;
    lastName?: string;
    preferredFirstName?: string;
    barcode?: string;
    region?: string;
    postalCode?: string;
    countryId?: string;
  };
  request?: {
    requestID?: string;
    servicePointPickup?: string;
    deliveryAddressType?: string;
    patronComments?: string;
  };
  currentDateTime?: string;
}

export interface PickSlipList {
  pickSlips: SlipContext[];
}

export interface SearchSlipList {
  searchSlips: SlipContext[];
}

/** A template of slips (`/staff-slips-storage/staff-slips`). */
export interface StaffSlip {
  id: string;
  name: string;
  active?: boolean;
  template: string;
}

export interface StaffSlipList {
  staffSlips: StaffSlip[];
}

export interface CirculationSetting {
  name: string;
  value?: Record<string, unknown>;
}

export interface CirculationSettingList {
  circulationSettings: CirculationSetting[];
}

/** Whose slips were printed when (docs/folio/slips-and-reports.md#print-events); the requester is who has printed. */
export interface PrintEvent {
  requestIds: string[];
  requesterId: string;
  requesterName: string;
  printEventDate: string;
}

export interface EndSession {
  patronId: string;
  actionType: "Check-out" | "Check-in";
}

/** `/status.json` of the staff port. */
export interface ServerStatus {
  version: string;
  openTenantsAllowed: boolean;
  sampleLibrary: boolean;
}

/** One element of a 422 answer's `errors`. */
export interface ErrorEntry {
  message: string;
  code?: string;
  parameters?: { key: string; value?: string | null }[];
  overridableBlock?: { name: string; missingPermissions?: string[] };
}
