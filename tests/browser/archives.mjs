/** The archives behind the pages: finding aids to import, and reads that show what the server has. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

const { CARREL_URL, CARREL_TENANT, CARREL_USER, CARREL_PASSWORD } = process.env;

/** A finding aid in EAD 2002 with so many files in so many series. */
export function findingAid({ id, title, files, series = 5 }) {
  const each = Math.ceil(files / series);
  const folders = (from, to) =>
    Array.from({ length: to - from }, (_, at) => {
      const number = from + at + 1;
      return `<c level="file"><did><unittitle>Folder ${number}</unittitle><unitdate>19${String(number % 50).padStart(2, "0")}</unitdate></did></c>`;
    }).join("");
  const all = Array.from({ length: series }, (_, at) => {
    const from = at * each;
    return `<c level="series"><did><unittitle>Series ${at + 1}</unittitle></did>${folders(from, Math.min(from + each, files))}</c>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<ead xmlns="urn:isbn:1-931666-22-9"><eadheader langencoding="iso639-2b"><eadid>${id}</eadid>
<filedesc><titlestmt><titleproper>${title}</titleproper></titlestmt></filedesc>
<profiledesc><langusage><language langcode="eng" scriptcode="Latn">English</language></langusage></profiledesc></eadheader>
<archdesc level="collection"><did><unittitle>${title}</unittitle><unitid>${id}</unitid>
<unitdate type="inclusive" normal="1900/1950">1900-1950</unitdate>
<physdesc><extent>10 linear feet</extent></physdesc>
<langmaterial><language langcode="eng" scriptcode="Latn">English</language></langmaterial></did>
<scopecontent><p>Letters and papers of a family of printers.</p></scopecontent>
<dsc>${all.join("")}</dsc></archdesc></ead>`;
}

/** Calls of the archives' API as the tests' user. */
export async function openArchives() {
  const tenant = { "X-Okapi-Tenant": CARREL_TENANT };
  const login = await fetch(`${CARREL_URL}/folio/authn/login`, {
    method: "POST",
    headers: { ...tenant, "Content-Type": "application/json" },
    body: JSON.stringify({ username: CARREL_USER, password: CARREL_PASSWORD }),
  });
  assert.equal(login.status, 201, "the tests' user can sign in");
  const headers = { ...tenant, "X-Okapi-Token": login.headers.get("x-okapi-token") };
  const call = async (method, path, body) => {
    const response = await fetch(`${CARREL_URL}/archivesspace${path}`, {
      method,
      headers,
      ...(body && { body }),
    });
    assert.equal(response.status, 200, `${method} ${path}: ${response.statusText}`);
    return response.json();
  };
  const read = (path) => call("GET", path);
  const send = (path, record) => call("POST", path, JSON.stringify(record));
  const [repository] = await read("/repositories");
  return { read, send, call, repository: repository.uri };
}

/** Imports a finding aid and returns the address of its resource. */
export async function imported({ call, read, repository }, xml) {
  const form = new FormData();
  const job = { jsonmodel_type: "import_job", import_type: "ead_xml", filenames: ["aid.xml"] };
  const job_params = JSON.stringify({ tolerant: true });
  form.append("job", JSON.stringify({ jsonmodel_type: "job", job, job_params }));
  form.append("files[]", new Blob([xml], { type: "application/xml" }), "aid.xml");
  const { uri } = await call("POST", `${repository}/jobs_with_files`, form);
  let status = "queued";
  while (status === "queued" || status === "running") {
    await pause(100);
    ({ status } = await read(uri));
  }
  assert.equal(status, "completed", "the finding aid is imported");
  const { results } = await read(`${uri}/records?page=1&page_size=10`);
  return results.map(({ record }) => record.ref).find((ref) => ref.includes("/resources/"));
}

/** What a search finds; until the library's first index is there, searches are refused, and this asks again. */
export async function found({ read, repository }, query) {
  const end = Date.now() + 600_000;
  for (;;) {
    try {
      return (await read(`${repository}/search?page=1&${query}`)).results;
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(500);
    }
  }
}

/** The titles below a node of a tree, by pages of 200. */
export async function titlesBelow({ read }, root, parent, page = 0) {
  const below = parent ? `&parent_node=${parent}` : "";
  const children = await read(`${root}/tree/waypoint?offset=${page}${below}`);
  return children.map(({ title }) => title);
}

/** The page of a record. */
export const pageOf = (uri) => uri.replace("/repositories/", "/archives/");
