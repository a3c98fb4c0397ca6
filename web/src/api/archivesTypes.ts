/**
 * The parts of the archives' records that the pages use. A record is saved as a whole, so each keeps what else the server
 * sent (`Rest`); the whole is described by `carrel openapi --archives`.
 */

type Rest = { [member: string]: unknown };

export interface Reference {
  ref: string;
  _resolved?: AnyRecord;
}

export interface RecordBase extends Rest {
  uri: string;
  jsonmodel_type: string;
  lock_version: number;
  title?: string;
  display_string?: string;
  publish?: boolean;
  suppressed?: boolean;
  last_modified_by?: string;
  user_mtime?: string;
}

export type AnyRecord = RecordBase;

export interface DateOfRecord extends Rest {
  label: string;
  date_type: string;
  expression?: string;
  begin?: string;
  end?: string;
}

export interface Extent extends Rest {
  portion: string;
  number: string;
  extent_type: string;
  container_summary?: string;
}

export interface Note extends Rest {
  jsonmodel_type: string;
  type?: string;
  label?: string;
  publish?: boolean;
  /** Of one-part notes and bibliographies. */
  content?: string[] | string;
  /** Of notes in several parts. */
  subnotes?: SubNote[];
}

export interface SubNote extends Rest {
  jsonmodel_type: string;
  content?: string;
}

export interface SubContainer extends Rest {
  top_container: Reference;
  type_2?: string;
  indicator_2?: string;
}

export interface Instance extends Rest {
  instance_type: string;
  sub_container?: SubContainer;
  digital_object?: Reference;
}

export interface LinkedAgent extends Reference, Rest {
  role: string;
}

/** What resources, archival objects, accessions and digital objects share. */
export interface Description extends RecordBase {
  level?: string;
  other_level?: string;
  id_0?: string;
  id_1?: string;
  id_2?: string;
  id_3?: string;
  component_id?: string;
  dates?: DateOfRecord[];
  extents?: Extent[];
  notes?: Note[];
  instances?: Instance[];
  subjects?: Reference[];
  linked_agents?: LinkedAgent[];
  resource?: Reference;
  parent?: Reference;
  ancestors?: { ref: string; level?: string }[];
  has_unpublished_ancestor?: boolean;
}

export interface TopContainer extends RecordBase {
  indicator?: string;
  type?: string;
  barcode?: string;
  internal_note?: string;
  long_display_string?: string;
  restricted?: boolean;
  container_profile?: Reference;
  container_locations?: ({ status: string; start_date: string } & Reference & Rest)[];
  collection?: { ref: string; identifier?: string; display_string?: string }[];
  series?: { ref: string; display_string?: string }[];
  circulation?: BoxState;
}

/** Where a box that circulates is now (docs/archivesspace/circulating-boxes.md). */
export interface BoxState {
  /** The item of the inventory that it is. */
  item_id: string;
  status: string;
  since?: string;
  location?: string;
  in_transit_to?: string;
  on_hold_at?: string;
  due?: string;
  use_at_location?: string;
  requests: number;
}

/** How the boxes of a repository circulate; the ids are those of the inventory. */
export interface ContainerCirculation extends Rest {
  location_id: string;
  material_type_id: string;
  loan_type_id: string;
  buildings: { building: string; location_id: string }[];
  items: number;
  on_loan: number;
  requests: number;
}

export interface Term extends Rest {
  term: string;
  term_type: string;
  vocabulary: string;
}

export interface Subject extends RecordBase {
  terms?: Term[];
  source?: string;
  vocabulary?: string;
  scope_note?: string;
}

export interface AgentName extends Rest {
  primary_name?: string;
  rest_of_name?: string;
  family_name?: string;
  software_name?: string;
  dates?: string;
  source?: string;
  rules?: string;
  qualifier?: string;
}

export interface Agent extends RecordBase {
  names?: AgentName[];
  notes?: Note[];
}

export interface Repository extends RecordBase {
  repo_code: string;
  name: string;
}

/** A found record, with the index's fields that were asked for. */
export interface Found extends Rest {
  uri: string;
  jsonmodel_type: string;
  title?: string;
  publish?: boolean;
  suppressed?: boolean;
}

export interface FoundPage {
  this_page: number;
  last_page: number;
  total_hits: number;
  results: Found[];
  facets: { facet_fields?: Record<string, (string | number)[]> };
}

/** A node as a page of its siblings (a waypoint) shows it. */
export interface TreeChild {
  uri: string;
  title: string | null;
  child_count: number;
  suppressed: boolean;
  has_digital_instance: boolean;
  identifier?: string | null;
  level?: string | null;
  dates?: { label?: string; expression?: string; begin?: string; end?: string }[];
  containers?: Record<string, string | undefined>[];
}

/** Pages of children by parent, and by number. The top has an empty name. */
export type Waypoints = Record<string, Record<string, TreeChild[]>>;

export interface TreeRoot {
  uri: string;
  title: string | null;
  child_count: number;
  waypoint_size: number;
  level?: string;
  identifier?: string;
  precomputed_waypoints: Waypoints;
}

/** A step on the way from the top of a tree to a node. */
export interface WayStep {
  /** The node above; null for the top. */
  node: string | null;
  /** The waypoint that has the next step. */
  offset: number;
}

export interface ValueList {
  name: string;
  values: string[];
}

export type JobStatus = "queued" | "running" | "completed" | "canceled" | "failed";

export interface Job extends RecordBase {
  job_type: string;
  job: { filenames?: string[]; import_type?: string; source?: string } & Rest;
  status: JobStatus;
  owner?: string;
  /** How many jobs wait before one that waits. */
  queue_position?: number;
  /** How far a job is that runs. The total is 0 until it is known. */
  progress?: { read: number; written: number; total: number };
  time_submitted?: string;
  time_started?: string;
  time_finished?: string;
}

export interface Saved {
  status: string;
  id: number;
  lock_version: number;
  uri: string;
  warnings?: unknown;
}

export interface Page<Item> {
  this_page: number;
  last_page: number;
  total: number;
  results: Item[];
}

export interface ArchivesUser {
  username: string;
  /** Permissions by repository, and `_archivesspace` for all. */
  permissions: Record<string, string[]>;
}
