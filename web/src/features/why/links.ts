/** Links from an explanation to the settings it speaks of. */
import type { Explained } from "../../api/why";
import { t } from "../../lib/i18n";

export interface ToldLink {
  to: string;
  label: string;
}

export type Policy = Explained["rules"][number]["policy"];

const PAGES: Record<Policy["kind"], string> = {
  loan: "loan-policies",
  request: "request-policies",
  notice: "notice-policies",
  overdueFine: "overdue-fine-policies",
  lostItem: "lost-item-policies",
};

export const linkToPolicy = ({ kind, id }: Policy): ToldLink => ({
  to: `/settings/${PAGES[kind]}/${id}`,
  label: t("Open the policy"),
});

export const linkToLimits = (): ToldLink => ({
  to: "/settings/patron-block-limits",
  label: t("Open the limits"),
});

export const linkToRequest = (id: string): ToldLink => ({
  to: `/requests/${id}`,
  label: t("Open the request"),
});

export const linkToLoans = (patron: string): ToldLink => ({
  to: `/patrons/${patron}?tab=loans`,
  label: t("Open the patron's loans"),
});

export const linkToCalendars = (): ToldLink => ({
  to: "/settings/calendars",
  label: t("Open the calendars"),
});
