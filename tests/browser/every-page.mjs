/** The paths of all pages, with records of the library, for what has to hold on each of them. */
import assert from "node:assert/strict";
import { findingAid, found, imported, openArchives, pageOf } from "./archives.mjs";
import { openLibrary, requestedItem, servicePointNamed } from "./library.mjs";

export const DESK = "Circ Desk 1";

/** Kinds of settings with forms of different making; the others are made of the same fields. */
const KINDS = [
  ["loan-policies", "/loan-policy-storage/loan-policies"],
  ["notice-policies", "/patron-notice-policy-storage/patron-notice-policies"],
  ["overdue-fine-policies", "/overdue-fines-policies"],
  ["fixed-due-date-schedules", "/fixed-due-date-schedule-storage/fixed-due-date-schedules"],
  ["calendars", "/calendar/calendars"],
  ["service-points", "/service-points"],
  ["locations", "/locations"],
  ["patron-block-limits", "/patron-block-limits"],
];

/** The id of the first record of an answer, whatever its list is called. */
const firstId = (answer) => Object.values(answer).find(Array.isArray)?.[0]?.id;

/** All pages: a name for pictures and messages, and the path. */
export async function everyPage() {
  const library = await openLibrary();
  const records = await folioPages(library);
  return [...deskPages, ...records, ...(await settingsPages(library)), ...(await archivesPages())];
}

const deskPages = [
  ["check-out", "/check-out"],
  ["check-in", "/check-in"],
  ["slips", "/slips"],
  ["sounds", "/sounds"],
  ["performance", "/performance"],
];

async function folioPages(library) {
  const servicePointId = await servicePointNamed(library, DESK);
  const { barcode, instanceId, requestId } = await requestedItem(library, servicePointId);
  const [item] = (await library.get("/inventory/items", `barcode=="${barcode}"`, 1)).items;
  const [patron] = (await library.get("/users", 'active==true and barcode=""', 1)).users;
  const holdings = `/catalogue/holdings/${item.holdingsRecordId}`;
  return [
    ["patrons", "/patrons"],
    ["patron-new", "/patrons/new"],
    ["patron", `/patrons/${patron.id}`],
    ["patron-edit", `/patrons/${patron.id}/edit`],
    ["requests", "/requests"],
    ["request-new", "/requests/new"],
    ["request", `/requests/${requestId}`],
    ["request-queue", `/requests/queue/item/${item.id}`],
    ["catalogue", "/catalogue"],
    ["catalogue-browse", "/catalogue/browse/subjects"],
    ["instance-new", "/catalogue/instances/new"],
    ["instance", `/catalogue/instances/${instanceId}`],
    ["instance-edit", `/catalogue/instances/${instanceId}/edit`],
    ["holdings-new", `/catalogue/instances/${instanceId}/holdings/new`],
    ["holdings-edit", `${holdings}/edit`],
    ["item-new", `${holdings}/items/new`],
    ["item", `/catalogue/items/${item.id}`],
    ["item-edit", `/catalogue/items/${item.id}/edit`],
  ];
}

async function settingsPages(library) {
  const kinds = KINDS.map(async ([kind, path]) => {
    const id = firstId(await library.read(`${path}?limit=1`));
    const pages = [
      [`settings-${kind}`, `/settings/${kind}`],
      [`settings-${kind}-new`, `/settings/${kind}/new`],
    ];
    if (!id) return pages;
    return [
      ...pages,
      [`settings-${kind}-one`, `/settings/${kind}/${id}`],
      [`settings-${kind}-edit`, `/settings/${kind}/${id}/edit`],
    ];
  });
  return [
    ["settings", "/settings"],
    ["settings-rules", "/settings/circulation-rules"],
    ...(await Promise.all(kinds)).flat(),
  ];
}

async function archivesPages() {
  const archives = await openArchives();
  const xml = findingAid({ id: `pages-${Date.now()}`, title: "Papers of the printers", files: 40 });
  const root = await imported(archives, xml);
  const [job] = (await archives.read(`${archives.repository}/jobs?page=1&page_size=1`)).results;
  const first = async (type) => {
    const [one] = await found(archives, `page_size=1&type[]=${type}`);
    assert.ok(one, `the library has a record of the type ${type}`);
    return one.uri;
  };
  const number = archives.repository.split("/").at(-1);
  const shared = async (type) => `/archives/${number}${await first(type)}`;
  return [
    ["archives", "/archives"],
    ["archives-jobs", "/archives/jobs"],
    ["archives-import", "/archives/import"],
    ["archives-circulation", "/archives/circulation"],
    ["archives-job", pageOf(job.uri)],
    ["archives-resource", pageOf(root)],
    ["archives-finding-aid-page", `${pageOf(root)}/finding-aid`],
    ["archives-accession", pageOf(await first("accession"))],
    ["archives-digital-object", pageOf(await first("digital_object"))],
    ["archives-container", pageOf(await first("top_container"))],
    ["archives-agent", await shared("agent_person")],
    ["archives-subject", await shared("subject")],
  ];
}
