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

export const linkToCalendars = (): ToldLink => ({
  to: "/settings/calendars",
  label: t("Open the calendars"),
});
