/** The calls that the pages of the archives make, one function each. */
import { addressOf, answerOf, type Query, read, remove, send } from "./archivesClient";
import type {
  AnyRecord,
  ArchivesUser,
  ContainerCirculation,
  Description,
  FoundPage,
  Job,
  Page,
  Repository,
  Saved,
  TreeChild,
  TreeRoot,
  ValueList,
  WayStep,
} from "./archivesTypes";
import { RefusedError } from "./errors";

/** The path of a repository: its address, as all records name it. */
const within = (repository: number) => `/repositories/${repository}`;

export const listRepositories = () => read<Repository[]>("/repositories");

export const createRepository = (repo_code: string, name: string) =>
  send<Saved>("/repositories", { jsonmodel_type: "repository", repo_code, name });

export const getArchivesUser = () => read<ArchivesUser>("/users/current-user");

export const listValueLists = () => read<ValueList[]>("/config/enumerations");

/** One page of what a repository has, and of the records that all repositories share. */
export const search = (repository: number, query: Query) =>
  read<FoundPage>(`${within(repository)}/search`, query);

/** A record by its address, with the records that these of its properties name. */
export const getRecord = <Kind extends AnyRecord = AnyRecord>(
  uri: string,
  resolve: string[] = [],
) => read<Kind>(uri, { resolve });

/** Saves a record with an address, or adds one to the collection of this path. */
export const saveRecord = (path: string, record: object) => send<Saved>(path, record);

export const deleteRecord = (uri: string) => remove<{ status: string }>(uri);

export const setSuppressed = (uri: string, suppressed: boolean) =>
  send<{ suppressed_state: boolean }>(`${uri}/suppressed`, undefined, { suppressed });

/** Publishes a record and everything below it, or takes all of it back. */
export const setPublished = (uri: string, publish: boolean) =>
  send<{ status: string }>(`${uri}/${publish ? "publish" : "unpublish"}`);

/** Archival objects by their numbers, in the order asked. */
export const listArchivalObjects = (repository: number, ids: number[], resolve: string[] = []) =>
  read<Description[]>(`${within(repository)}/archival_objects`, { id_set: ids.join(","), resolve });

// Trees. `root` is the address of the record at the top.

export const getTreeRoot = (root: string, published_only = false) =>
  read<TreeRoot>(`${root}/tree/root`, { published_only });

export const getWaypoint = (
  root: string,
  parent: string | undefined,
  offset: number,
  published_only = false,
) => read<TreeChild[]>(`${root}/tree/waypoint`, { offset, parent_node: parent, published_only });

/** The ways from the top to nodes, by their numbers. */
export const getWays = (root: string, ids: number[], published_only = false) =>
  read<Record<string, WayStep[]>>(`${root}/tree/node_from_root`, {
    node_ids: ids.map(String),
    published_only,
  });

/** Moves nodes below a record, so that the first of them comes at this place among its children without them. */
export const acceptChildren = (parent: string, children: string[], position: number) =>
  send<{ status: string }>(`${parent}/accept_children`, undefined, { children, position });

// Boxes that circulate.

const circulationOf = (repository: number) => `${within(repository)}/container_circulation`;

/** Making or ending the items of all boxes is one call: a minute or two for 100,000 of them. */
const ALL_BOXES = 600_000;

/** Nothing if the boxes of the repository do not circulate. */
export const getCirculation = (repository: number) =>
  read<ContainerCirculation>(circulationOf(repository)).catch((error: unknown) => {
    if (error instanceof RefusedError && error.status === 404) return null;
    throw error;
  });

/** What the settings do not name stays as it is, or is chosen by the server. */
export const letCirculate = (repository: number, settings: object) =>
  send<{ items: number }>(circulationOf(repository), settings, undefined, ALL_BOXES);

export const endCirculation = (repository: number) =>
  remove<{ items: number }>(circulationOf(repository), ALL_BOXES);

/** Some records as the index has them; those that it does not have yet are left out. */
export const findRecords = (uris: readonly string[]) =>
  read<Page<{ uri: string; title?: string }>>("/search/records", { uri: [...uris] });

// Jobs.

export const listJobs = (repository: number, page: number) =>
  read<Page<Job>>(`${within(repository)}/jobs`, {
    page,
    page_size: 50,
    sort_field: "id",
    sort_direction: "desc",
  });

export const getJob = (uri: string) => read<Job>(uri);

export const startJob = (repository: number, job: object) =>
  send<Saved>(`${within(repository)}/jobs`, { jsonmodel_type: "job", job });

export const cancelJob = (uri: string) => send<{ status: string }>(`${uri}/cancel`);

/** The log of a job from a byte on. */
export const getJobLog = async (uri: string, offset: number) =>
  (await answerOf(addressOf(`${uri}/log`, { offset }))).text();

export const listJobRecords = (uri: string) =>
  read<Page<{ record: { ref: string; _resolved?: AnyRecord } }>>(`${uri}/records`, {
    page: 1,
    page_size: 20,
    resolve: ["record"],
  });

export const listJobFiles = (uri: string) => read<number[]>(`${uri}/output_files`);
