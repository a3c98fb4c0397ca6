import type { Request } from "../../api/requests";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import type { TableColumn } from "../../ui/DataTable";
import { personName } from "../patrons/patron";

export const titleOf = ({ instance }: Request): string => instance?.title ?? t("Untitled item");

export const requesterOf = ({ requester }: Request): string =>
  personName(requester ?? {}) || (requester?.barcode ?? "");

type Tone = "plain" | "good" | "info" | "notice";

/** Statuses are FOLIO's; their colour says whether something is to be done. */
export function toneOf(status: string | undefined): Tone {
  if (status === "Open - Awaiting pickup" || status === "Open - Awaiting delivery") return "good";
  if (status === "Open - In transit") return "info";
  return status?.startsWith("Open") ? "notice" : "plain";
}

export const requestColumns = (clock: Clock): TableColumn<Request>[] => [
  {
    id: "title",
    title: t("Title"),
    cell: titleOf,
    isRowHeader: true,
    width: "3fr",
    minWidth: 160,
    sorts: true,
  },
  {
    id: "barcode",
    title: t("Item barcode"),
    cell: ({ item, requestLevel }) => item?.barcode ?? (requestLevel === "Title" && t("Any copy")),
    minWidth: 130,
    isSecondary: true,
  },
  { id: "type", title: t("Type"), cell: ({ requestType }) => requestType, sorts: true },
  {
    id: "status",
    title: t("Status"),
    cell: ({ status = "" }) => <Badge tone={toneOf(status)}>{status}</Badge>,
    width: "2fr",
    minWidth: 170,
    sorts: true,
  },
  {
    id: "position",
    title: t("Place"),
    cell: ({ position }) => position,
    align: "end",
    isSecondary: true,
  },
  {
    id: "requester",
    title: t("Requester"),
    cell: requesterOf,
    isSecondary: true,
    width: "2fr",
    sorts: true,
  },
  {
    id: "pickup",
    title: t("Pickup"),
    cell: ({ pickupServicePoint }) => pickupServicePoint?.name ?? t("Delivery"),
    isSecondary: true,
  },
  {
    id: "date",
    title: t("Requested"),
    cell: ({ requestDate }) => requestDate && formatDateTime(requestDate, clock),
    isSecondary: true,
    sorts: true,
    minWidth: 150,
  },
];
