import type { Account } from "../../api/fees";
import { type Clock, formatDate } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { Badge } from "../../ui/Badge";
import type { TableColumn } from "../../ui/DataTable";
import { WhyButton } from "../why/WhyButton";
import { type Currency, centsOf, formatMoney } from "./money";
import { isOpen } from "./rules";

export const money = (amount: number | undefined, currency: Currency) =>
  formatMoney(centsOf(amount) ?? 0n, currency);

/** What was charged. */
export const feeName = ({ feeFineType }: Account): string =>
  fixed("feeType", feeFineType) || t("this fee");

export const feeColumns = (clock: Clock, currency: Currency): TableColumn<Account>[] => [
  {
    id: "type",
    title: t("Fee type"),
    cell: feeName,
    isRowHeader: true,
    width: "2fr",
    minWidth: 130,
  },
  {
    id: "charged",
    title: t("Charged"),
    cell: ({ metadata, dateCreated }) => {
      const date = metadata?.createdDate ?? dateCreated;
      return date && formatDate(date, clock);
    },
    isSecondary: true,
  },
  {
    id: "item",
    title: t("Item"),
    cell: ({ title, barcode }) => [title, barcode].filter(Boolean).join(" · "),
    isSecondary: true,
    width: "2fr",
  },
  {
    id: "owner",
    title: t("Owner"),
    cell: ({ feeFineOwner }) => feeFineOwner,
    isSecondary: true,
  },
  {
    id: "amount",
    title: t("Charged amount"),
    cell: ({ amount }) => money(amount, currency),
    align: "end",
    isSecondary: true,
  },
  {
    id: "remaining",
    title: t("Remaining"),
    cell: ({ remaining }) => money(remaining, currency),
    align: "end",
  },
  {
    id: "status",
    title: t("Status"),
    cell: (fee) => (
      <Badge tone={isOpen(fee) ? "notice" : "plain"}>
        {fixed("paymentStatus", fee.paymentStatus.name)}
      </Badge>
    ),
    minWidth: 130,
  },
  {
    id: "why",
    title: t("Reason"),
    cell: (fee) => <WhyButton question={{ about: "fee", id: fee.id }} subject={feeName(fee)} />,
    minWidth: 90,
  },
];
