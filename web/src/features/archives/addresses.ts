/** Addresses of records: `/repositories/2/resources/7`. */

/** The number at the end of an address. */
export const numberOf = (uri: string): number => Number(uri.slice(uri.lastIndexOf("/") + 1));

export const repositoryAddress = (repository: number): string => `/repositories/${repository}`;

export const resourceAddress = (repository: number, id: number | string): string =>
  `/repositories/${repository}/resources/${id}`;

export const archivalObjectAddress = (repository: number, id: number | string): string =>
  `/repositories/${repository}/archival_objects/${id}`;

/** The page of a record. Agents and subjects belong to no repository; they are shown within the chosen one. */
export function pageOf(uri: string, repository: number): string {
  const own = /^\/repositories\/(\d+)\/(.*)$/.exec(uri);
  const [at, rest] = own ? [Number(own[1]), own[2] ?? ""] : [repository, uri.slice(1)];
  return `/archives/${at}/${rest}`;
}

/** The page of a component: its resource with the component open in the tree. */
export const componentPageOf = (uri: string, resource: string, repository: number): string =>
  `${pageOf(resource, repository)}?component=${numberOf(uri)}`;

/** The address of the record of a page: the other way round. */
export function addressOfPage(repository: number, rest: string): string {
  const isShared = /^(agents|subjects)\//.test(rest);
  return isShared ? `/${rest}` : `${repositoryAddress(repository)}/${rest}`;
}

/** The kind of record at an address: `resources`, `agents`. */
export function kindOf(uri: string): string {
  const parts = uri.split("/").filter(Boolean);
  return (parts[0] === "repositories" ? parts[2] : parts[0]) ?? "";
}
