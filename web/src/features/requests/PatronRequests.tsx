/** What a patron has asked for. */
import { useQuery } from "@tanstack/react-query";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { DataTable } from "../../ui/DataTable";
import { listed } from "../../ui/listing";
import { Tabs } from "../../ui/Tabs";
import { useClock } from "../tenant/useClock";
import { requestsOf } from "./queries";
import { requestColumns } from "./requestColumns";

export function PatronRequests({ user }: { user: User }) {
  return (
    <Tabs
      label={t("Requests")}
      tabs={[
        { id: "open", title: t("Open"), content: <List userId={user.id} which="Open" /> },
        { id: "closed", title: t("Closed"), content: <List userId={user.id} which="Closed" /> },
      ]}
    />
  );
}

function List({ userId, which }: { userId: string; which: "Open" | "Closed" }) {
  const query = useQuery(requestsOf(userId, which));
  const clock = useClock();
  const columns = requestColumns(clock).filter(({ id }) => id !== "requester");
  return (
    <DataTable
      label={which === "Open" ? t("Open requests") : t("Closed requests")}
      {...listed(query, ({ requests }) => requests)}
      hrefOf={({ id }) => `/requests/${id}`}
      columns={columns.map((column) => ({ ...column, sorts: false }))}
      empty={<p>{which === "Open" ? t("No open requests.") : t("No closed requests.")}</p>}
    />
  );
}
