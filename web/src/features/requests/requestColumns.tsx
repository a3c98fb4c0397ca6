import type { Request } from "../../api/requests";
import { type Clock, formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import type { TableColumn } from "../../ui/DataTable";
import { personName } from "../patrons/patron";
import { RequestStatus } from "./RequestStatus";

export const titleOf = ({ instance }: Request): string => instance?.title ?? t("Untitled item");

export const requesterOf = ({ requester }: Request): string =>
  personName(requester ?? {}) || (requester?.barcode ?? "");

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
  {
    id: "type",
    title: t("Type"),
    cell: ({ requestType }) => fixed("requestType", requestType),
    sorts: true,
  },
  {
    id: "status",
    title: t("Status"),
    cell: ({ status }) => <RequestStatus status={status} />,
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
