/** One patron: what the record says, and what the patron has, wants and owes. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { t } from "../../lib/i18n";
import { useSeen } from "../../lib/seen";
import { useAddress } from "../../lib/useAddress";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Page } from "../../ui/Page";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Tabs } from "../../ui/Tabs";
import { BlocksTab } from "../blocks/BlocksTab";
import { FeesTab } from "../fees/FeesTab";
import { LoansTab } from "../loans/LoansTab";
import { NotesTab } from "../notes/NotesTab";
import { PatronRequests } from "../requests/PatronRequests";
import { BlocksBanner } from "./BlocksBanner";
import { PatronDetails } from "./PatronDetails";
import styles from "./Patrons.module.css";
import { nameOf } from "./patron";
import { patron, patronGroups } from "./queries";

const tabOf = ({ tab }: Record<string, unknown>) => ({ ...(tab ? { tab: String(tab) } : {}) });

export default function PatronPage() {
  const { userId = "" } = useParams({ strict: false });
  const [{ tab }, change] = useAddress<{ tab?: string }>(tabOf);
  const navigate = useNavigate();
  const { data: user, error, refetch } = useQuery(patron(userId));
  const groups = useQuery(patronGroups).data;
  useSeen(`/patrons/${userId}`, user && nameOf(user));
  const parent = { to: "/patrons", label: t("Patrons") };
  if (!user) {
    return (
      <Page title={t("Patron")} parent={parent}>
        <ProblemNotice
          error={error}
          title={t("The patron could not be read.")}
          onRetry={() => void refetch()}
        />
      </Page>
    );
  }
  const tabs = [
    { id: "details", title: t("Details"), content: <PatronDetails user={user} /> },
    { id: "loans", title: t("Loans"), content: <LoansTab userId={user.id} /> },
    { id: "requests", title: t("Requests"), content: <PatronRequests user={user} /> },
    { id: "fees", title: t("Fees"), content: <FeesTab userId={user.id} /> },
    { id: "blocks", title: t("Blocks"), content: <BlocksTab userId={user.id} /> },
    { id: "notes", title: t("Notes"), content: <NotesTab userId={user.id} /> },
  ];
  const open = tabs.some(({ id }) => id === tab) ? tab : "details";
  return (
    <Page
      key={user.id}
      title={nameOf(user)}
      parent={parent}
      subtitle={
        <span className={styles.badges}>
          {user.active ? (
            <Badge tone="good">{t("Active")}</Badge>
          ) : (
            <Badge tone="bad">{t("Inactive")}</Badge>
          )}
          <span>{groups?.find(({ id }) => id === user.patronGroup)?.group}</span>
          <span>{user.barcode}</span>
        </span>
      }
      toolbar={
        <Button
          needs="PUT /users/{id}"
          onPress={() =>
            void navigate({ to: "/patrons/$userId/edit", params: { userId: user.id } })
          }
        >
          {t("Edit")}
        </Button>
      }
    >
      <BlocksBanner userId={user.id} />
      <Tabs
        label={t("About this patron")}
        tabs={tabs}
        open={open}
        onOpen={(id) => change({ tab: id })}
      />
    </Page>
  );
}
