/** An instance with its holdings and items, read in one call. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { InstanceView } from "../../api/catalogue";
import { t } from "../../lib/i18n";
import { useSeen } from "../../lib/seen";
import { Badge } from "../../ui/Badge";
import { LinkButton } from "../../ui/LinkButton";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { fieldsOf } from "../records/kind";
import { RecordDetail } from "../records/RecordDetail";
import { useReferences } from "../records/references";
import { referencesOf } from "../records/show";
import { useClock } from "../tenant/useClock";
import { DeleteMenu } from "./DeleteMenu";
import { subtitleOf } from "./describe";
import { INSTANCE_SECTIONS } from "./forms/instance";
import { HoldingsSection } from "./HoldingsSection";
import { instanceView } from "./queries";

export default function InstancePage() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useQuery(instanceView(id));
  return (
    <Loaded
      query={query}
      title={t("Instance")}
      parent={{ to: "/catalogue", label: t("Catalogue") }}
      missing={t("There is no such instance. It may have been deleted.")}
    >
      {(view) => <Shown view={view} />}
    </Loaded>
  );
}

function Shown({ view }: { view: InstanceView }) {
  const { instance, holdingsRecords, items } = view;
  const clock = useClock();
  const references = useReferences([
    ...referencesOf(fieldsOf(INSTANCE_SECTIONS)),
    "locations",
    "material-types",
    "loan-types",
  ]);
  const url = `/catalogue/instances/${instance.id}`;
  useSeen(url, instance.title);
  return (
    <Page
      title={instance.title}
      subtitle={
        <>
          {subtitleOf(instance)} {instance.staffSuppress && <Suppressed where="staff" />}{" "}
          {instance.discoverySuppress && <Suppressed where="discovery" />}
        </>
      }
      parent={{ to: "/catalogue", label: t("Catalogue") }}
      toolbar={
        <>
          <LinkButton href={`${url}/edit`} look="primary" needs="PUT /inventory/instances/{id}">
            {t("Edit")}
          </LinkButton>
          <LinkButton href={`${url}/holdings/new`} needs="POST /holdings-storage/holdings">
            {t("Add holdings")}
          </LinkButton>
          <DeleteMenu
            kind="instance"
            id={instance.id}
            name={instance.title}
            disabledReason={
              holdingsRecords.length > 0
                ? t("It has holdings, which would have to be deleted first.")
                : undefined
            }
            goTo="/catalogue"
          />
        </>
      }
    >
      {holdingsRecords.map((holdings) => (
        <HoldingsSection
          key={holdings.id}
          holdings={holdings}
          items={items.filter(({ holdingsRecordId }) => holdingsRecordId === holdings.id)}
          references={references}
        />
      ))}
      <RecordDetail sections={INSTANCE_SECTIONS} record={instance} around={{ references, clock }} />
    </Page>
  );
}

function Suppressed({ where }: { where: "staff" | "discovery" }) {
  const text = where === "staff" ? t("Suppressed from staff") : t("Suppressed from discovery");
  return <Badge tone="notice">{text}</Badge>;
}
