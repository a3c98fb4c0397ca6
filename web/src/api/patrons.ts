/** Patrons, their groups, addresses, proxies, blocks and notes (docs/folio/users.md, patron-blocks.md, notes-and-tags.md). */
import { field, oneOf } from "../lib/cql";
import { api, bodyOf } from "./client";
import type { Schemas, User } from "./types";

export type UserInput = Schemas["UserInput"];
export type Group = Schemas["Group"];
export type AddressType = Schemas["Addresstype"];
export type ProxyRelation = Schemas["Proxyfor"];
export type ProxyInput = Schemas["ProxyforInput"];
export type BlockInput = Schemas["ManualblockInput"];
export type BlockTemplate = Schemas["ManualBlockTemplate"];
export type Note = Schemas["Note"];
export type NoteInput = Schemas["NoteInput"];
export type NoteType = Schemas["NoteType"];

/** What a list takes: a query, how many records, and how many before them. */
export interface Page {
  query: string;
  limit: number;
  offset?: number;
}

/** The longest list that is read at once: values to choose from, what belongs to one patron. */
const ALL = 1000;

const byId = (id: string) => ({ params: { path: { id } } });

export const listUsers = (query: Page) => bodyOf(api.GET("/users", { params: { query } }));

export const getUser = (id: string) => bodyOf(api.GET("/users/{id}", byId(id)));

/** Users by id, in one call. */
export const listUsersById = (ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve<User[]>([])
    : listUsers({ query: oneOf("id", ids), limit: ids.length }).then(({ users }) => users);

export const replaceUser = (id: string, body: UserInput) =>
  bodyOf(api.PUT("/users/{id}", { ...byId(id), body }));

export const listGroups = () =>
  bodyOf(
    api.GET("/groups", {
      params: { query: { query: "cql.allRecords=1 sortby group", limit: ALL } },
    }),
  ).then(({ usergroups }) => usergroups);

export const listAddressTypes = () =>
  bodyOf(
    api.GET("/addresstypes", {
      params: { query: { query: "cql.allRecords=1 sortby addressType", limit: ALL } },
    }),
  ).then(({ addressTypes }) => addressTypes);

/** The relationships in which the patron is sponsor or proxy. */
export const listProxies = (userId: string) =>
  bodyOf(
    api.GET("/proxiesfor", {
      params: {
        query: {
          query: `${field("userId", "==", userId)} or ${field("proxyUserId", "==", userId)}`,
          limit: ALL,
        },
      },
    }),
  ).then(({ proxiesFor }) => proxiesFor);

export const getProxy = (id: string) => bodyOf(api.GET("/proxiesfor/{id}", byId(id)));

export const replaceProxy = (id: string, body: ProxyInput) =>
  bodyOf(api.PUT("/proxiesfor/{id}", { ...byId(id), body }));

export const deleteProxy = (id: string) => bodyOf(api.DELETE("/proxiesfor/{id}", byId(id)));

export const getBlock = (id: string) => bodyOf(api.GET("/manualblocks/{id}", byId(id)));

export const replaceBlock = (id: string, body: BlockInput) =>
  bodyOf(api.PUT("/manualblocks/{id}", { ...byId(id), body }));

export const deleteBlock = (id: string) => bodyOf(api.DELETE("/manualblocks/{id}", byId(id)));

export const listBlockTemplates = () =>
  bodyOf(
    api.GET("/manual-block-templates", {
      params: { query: { query: "cql.allRecords=1 sortby name", limit: ALL } },
    }),
  ).then(({ manualBlockTemplates }) => manualBlockTemplates);

/** The notes about a patron, the newest first. */
export const listNotes = (userId: string) =>
  bodyOf(
    api.GET("/note-links/domain/{domain}/type/{type}/id/{id}", {
      params: {
        path: { domain: "users", type: "user", id: userId },
        query: { status: "assigned", orderBy: "updatedDate", order: "desc", limit: ALL },
      },
    }),
  ).then(({ notes }) => notes);

export const getNote = (id: string) => bodyOf(api.GET("/notes/{id}", byId(id)));

export const replaceNote = (id: string, body: NoteInput) =>
  bodyOf(api.PUT("/notes/{id}", { ...byId(id), body }));

export const deleteNote = (id: string) => bodyOf(api.DELETE("/notes/{id}", byId(id)));

export const listNoteTypes = () =>
  bodyOf(api.GET("/note-types", { params: { query: { limit: ALL } } })).then(
    ({ noteTypes }) => noteTypes,
  );
