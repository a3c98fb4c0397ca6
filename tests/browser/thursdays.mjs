/** A desk that opens on Thursdays alone, and a loan type with a policy and a rule of its own, so that other tests notice nothing. */
import assert from "node:assert/strict";

const WEEKLY = { startDay: "THURSDAY", startTime: "08:00", endDay: "THURSDAY", endTime: "20:00" };

export async function make(library, path, record) {
  const answer = await library.post(path, record);
  assert.equal(answer.status, 201, `POST ${path}: ${await answer.clone().text()}`);
  return answer.json();
}

/** The library with a desk named `desk`, and items that are lent for two days and come back on Thursdays. */
export async function openOnThursdays(library, desk) {
  const point = await make(library, "/service-points", {
    ...{ name: desk, code: desk, discoveryDisplayName: desk, pickupLocation: true },
    holdShelfExpiryPeriod: { duration: 3, intervalId: "Days" },
  });
  const year = new Date().getFullYear();
  await make(library, "/calendar/calendars", {
    ...{ name: desk, startDate: `${year - 1}-01-01`, endDate: `${year + 2}-12-31` },
    ...{ assignments: [point.id], normalHours: [WEEKLY], exceptions: [] },
  });
  const loanType = await make(library, "/loan-types", { name: `Loans of ${desk}` });
  const policy = await make(library, "/loan-policy-storage/loan-policies", {
    ...{ name: `Two days at ${desk}`, loanable: true, renewable: true },
    loansPolicy: {
      profileId: "Rolling",
      period: { duration: 2, intervalId: "Days" },
      closedLibraryDueDateManagementId: "END_OF_THE_NEXT_OPEN_DAY",
    },
    renewalsPolicy: { unlimited: false, numberAllowed: 1, renewFromId: "SYSTEM_DATE" },
  });
  const { rulesAsText } = await library.read("/circulation/rules");
  const others = /fallback-policy: *l \S+ (.*)/.exec(rulesAsText)[1];
  const rule = `t ${loanType.id}: l ${policy.id} ${others}`;
  const rules = `${rulesAsText.trimEnd()}\n${rule}\n`;
  await replaceRules(library, rules);
  return {
    policy,
    /** The line of the rule. */
    line: rules.trimEnd().split("\n").length,
    servicePointId: point.id,
    item: (barcode) => makeItem(library, loanType.id, barcode),
    close: () => replaceRules(library, rulesAsText),
  };
}

async function replaceRules(library, rulesAsText) {
  const answer = await library.put("/circulation/rules", { rulesAsText });
  assert.equal(answer.status, 204, await answer.text());
}

/** An item of the new loan type, at a location whose desk is Circ Desk 1, which has a fee owner. */
async function makeItem(library, permanentLoanTypeId, barcode) {
  const { servicepoints } = await library.get("/service-points", 'name=="Circ Desk 1"', 1);
  const near = `primaryServicePoint=="${servicepoints[0].id}"`;
  const { locations } = await library.get("/locations", near, 1);
  const { items } = await library.get("/inventory/items", 'status.name=="Available"', 1);
  const { mtypes } = await library.get("/material-types", 'name=="book"', 1);
  return make(library, "/item-storage/items", {
    ...{ barcode, permanentLoanTypeId, holdingsRecordId: items[0].holdingsRecordId },
    ...{ materialTypeId: mtypes[0].id, status: { name: "Available" } },
    permanentLocationId: locations[0].id,
  });
}

/** A patron who may borrow. */
export async function makePatron(library, barcode, lastName) {
  const { usergroups } = await library.get("/groups", 'group=="undergrad"', 1);
  return make(library, "/users", {
    ...{ barcode, username: barcode, active: true, patronGroup: usergroups[0].id },
    personal: {
      lastName,
      firstName: "Tova",
      preferredContactTypeId: "002",
      email: "t@example.org",
    },
  });
}

/** Staff block a patron from borrowing. */
export const block = (library, userId, desc) =>
  make(library, "/manualblocks", {
    ...{ type: "Manual", desc, staffInformation: "", patronMessage: "", userId },
    ...{ borrowing: true, renewals: false, requests: false },
  });
