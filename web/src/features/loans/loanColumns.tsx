import type { Loan } from "../../api/types";
import { type Clock, formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import type { TableColumn } from "../../ui/DataTable";
import { WhyButton } from "../why/WhyButton";
import { isOverdue } from "./rules";

export const titleOf = ({ item }: Loan): string => item?.title ?? t("Untitled item");

const common = (): TableColumn<Loan>[] => [
  { id: "title", title: t("Title"), cell: titleOf, isRowHeader: true, width: "3fr", minWidth: 160 },
  { id: "barcode", title: t("Barcode"), cell: ({ item }) => item?.barcode, minWidth: 130 },
];

export const openColumns = (clock: Clock, now: Date): TableColumn<Loan>[] => [
  ...common(),
  {
    id: "due",
    title: t("Due"),
    width: "2fr",
    minWidth: 180,
    cell: (loan) => (
      <>
        {loan.dueDate && formatDateTime(loan.dueDate, clock)}{" "}
        {isOverdue(loan, now) && <Badge tone="bad">{t("Overdue")}</Badge>}
      </>
    ),
  },
  {
    id: "why",
    title: t("Reason"),
    minWidth: 90,
    cell: (loan) => <WhyButton question={{ about: "loan", id: loan.id }} subject={titleOf(loan)} />,
  },
  {
    id: "status",
    title: t("Item status"),
    cell: ({ item }) => fixed("itemStatus", item?.status?.name),
    minWidth: 120,
  },
  {
    id: "renewals",
    title: t("Renewals"),
    cell: ({ renewalCount = 0 }) => renewalCount,
    align: "end",
    isSecondary: true,
  },
  {
    id: "lent",
    title: t("Lent"),
    cell: ({ loanDate }) => formatDateTime(loanDate, clock),
    isSecondary: true,
    width: "2fr",
    minWidth: 150,
  },
  {
    id: "policy",
    title: t("Loan policy"),
    cell: ({ loanPolicy }) => loanPolicy?.name,
    isSecondary: true,
  },
];

export const closedColumns = (clock: Clock): TableColumn<Loan>[] => [
  ...common(),
  {
    id: "lent",
    title: t("Lent"),
    cell: ({ loanDate }) => formatDateTime(loanDate, clock),
    isSecondary: true,
    width: "2fr",
  },
  {
    id: "returned",
    title: t("Returned"),
    width: "2fr",
    minWidth: 150,
    cell: ({ returnDate }) => returnDate && formatDateTime(returnDate, clock),
  },
  {
    id: "renewals",
    title: t("Renewals"),
    cell: ({ renewalCount = 0 }) => renewalCount,
    align: "end",
    isSecondary: true,
  },
];
