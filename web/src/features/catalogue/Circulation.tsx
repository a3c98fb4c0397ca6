import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { type Clock, formatDateTime } from "../../lib/dates";
import { t } from "../../lib/i18n";
import { type Fact, Facts, Section } from "../../ui/Detail";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { WhyButton } from "../why/WhyButton";
import { itemCirculation } from "./queries";

interface Props {
  itemId: string;
  clock: Clock;
}

/** Who has the item and until when, and how many wait for it. */
export function Circulation({ itemId, clock }: Props) {
  const { data, error, refetch } = useQuery(itemCirculation(itemId));
  const loan = data?.loan;
  const facts: Fact[] = [
    [t("On loan to"), loan && <Borrower key="borrower" loan={loan} />],
    [
      t("Due"),
      loan?.dueDate && (
        <>
          {formatDateTime(loan.dueDate, clock)}{" "}
          <WhyButton
            question={{ about: "loan", id: loan.id }}
            subject={loan.item?.title ?? t("Due")}
          />
        </>
      ),
    ],
    [t("Lent on"), loan?.loanDate && formatDateTime(loan.loanDate, clock)],
    [t("Renewals"), loan?.renewalCount ? String(loan.renewalCount) : ""],
    [t("Open requests"), data && <Requests key="requests" itemId={itemId} count={data.requests} />],
  ];
  return (
    <Section title={t("Loan and requests")}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {data && !loan && <p>{t("The item is not on loan.")}</p>}
      <Facts facts={facts} />
    </Section>
  );
}

interface Loan {
  userId?: string;
  borrower?: { firstName?: string | null; lastName?: string | null; barcode?: string | null };
}

function Borrower({ loan }: { loan: Loan }) {
  const { firstName, lastName, barcode } = loan.borrower ?? {};
  const name = [lastName, firstName].filter(Boolean).join(", ") || barcode || t("a patron");
  return loan.userId ? <Link href={`/patrons/${loan.userId}`}>{name}</Link> : name;
}

function Requests({ itemId, count }: { itemId: string; count: number }) {
  if (count === 0) return t("None");
  return <Link href={`/requests/queue/item/${itemId}`}>{String(count)}</Link>;
}
