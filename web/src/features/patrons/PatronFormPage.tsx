/** A new patron, or the record of one to change. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { t } from "../../lib/i18n";
import { announce } from "../../ui/LiveRegion";
import { Page } from "../../ui/Page";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { PatronForm } from "./PatronForm";
import { nameOf } from "./patron";
import { patron, patronKey } from "./queries";

export default function PatronFormPage() {
  const { userId } = useParams({ strict: false });
  const navigate = useNavigate();
  const client = useQueryClient();
  // Read for this form, whatever the cache has, and not again while somebody types.
  const { data, error, refetch } = useQuery({
    ...patron(userId ?? ""),
    queryKey: [...patronKey(userId ?? ""), "to-edit"],
    enabled: userId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const show = (id: string, ignoreBlocker = false) =>
    void navigate({ to: "/patrons/$userId", params: { userId: id }, ignoreBlocker });
  const saved = (id: string) => {
    void client.invalidateQueries({ queryKey: patronKey(id) });
    void client.invalidateQueries({ queryKey: ["patron-list"] });
    announce(t("The patron was saved."));
    show(id, true);
  };
  const cancel = () => (userId ? show(userId) : void navigate({ to: "/patrons" }));
  return (
    <Page
      title={
        userId ? (data ? t("Edit {name}", { name: nameOf(data) }) : t("Edit")) : t("New patron")
      }
      parent={{ to: "/patrons", label: t("Patrons") }}
    >
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {(data || !userId) && <PatronForm base={data} onSaved={saved} onCancel={cancel} />}
    </Page>
  );
}
