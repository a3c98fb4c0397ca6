/** The list, the details and the form of any kind of settings. */
import { useQuery } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { Call } from "../../api/permissions";
import { NotFound } from "../../app/NotFound";
import { t } from "../../lib/i18n";
import { Button } from "../../ui/Button";
import { ConfirmDialog } from "../../ui/ConfirmDialog";
import { DataTable, type TableColumn } from "../../ui/DataTable";
import { LinkButton } from "../../ui/LinkButton";
import { announce } from "../../ui/LiveRegion";
import { Loaded } from "../../ui/Loaded";
import { listed } from "../../ui/listing";
import { Page } from "../../ui/Page";
import { Editor } from "../records/Editor";
import { fieldsOf, type Kind } from "../records/kind";
import { RecordDetail } from "../records/RecordDetail";
import { useReferences } from "../records/references";
import { inText, referencesOf, type Surroundings } from "../records/show";
import type { Values } from "../records/values";
import { useClock } from "../tenant/useClock";
import { kindOf } from "./kinds";
import {
  newOf,
  readRecord,
  recordOf,
  recordsOf,
  saveRecord,
  useDelete,
  useRefresh,
} from "./queries";

/** The call for a record of a kind, whose paths are all alike. */
const callOf = (method: "POST" | "PUT" | "DELETE", path: Kind["path"]) =>
  (method === "POST" ? `POST ${path}` : `${method} ${path}/{id}`) as Call;

/** The kind and the id in the address. */
function useAddress() {
  const { kind = "", id = "" } = useParams({ strict: false }) as { kind?: string; id?: string };
  return { kind: kindOf(kind), id };
}

function useSurroundings(kind: Kind) {
  const references = useReferences(referencesOf(fieldsOf(kind.sections)));
  const clock = useClock();
  return { references, clock };
}

export default function KindListPage() {
  const { kind } = useAddress();
  return kind ? <KindList key={kind.id} kind={kind} /> : <NotFound />;
}

function KindList({ kind }: { kind: Kind }) {
  const around = useSurroundings(kind);
  const query = useQuery(recordsOf(kind));
  const one = t(kind.one);
  return (
    <Page
      title={t(kind.title)}
      parent={{ to: "/settings", label: t("Settings") }}
      toolbar={
        !kind.isFixed && (
          <LinkButton
            href={`/settings/${kind.id}/new`}
            look="primary"
            needs={callOf("POST", kind.path)}
          >
            {t("Add: {what}", { what: one })}
          </LinkButton>
        )
      }
    >
      <DataTable
        label={t(kind.title)}
        columns={columnsOf(kind, around)}
        {...listed(query, (records) => records)}
        hrefOf={({ id }) => `/settings/${kind.id}/${id}`}
        empty={t("There are none yet.")}
      />
    </Page>
  );
}

function columnsOf({ columns, sections }: Kind, around: Surroundings): TableColumn<Values>[] {
  const fields = fieldsOf(sections);
  return columns.map(({ label, path }, n) => ({
    id: path,
    title: t(label),
    isSecondary: n > 1,
    cell: (record) => {
      const field = fields.find((field) => field.path === path);
      return field ? inText(field, record, around) : String(record[path] ?? "");
    },
  }));
}

/** The first column names a record. */
function titleOf(kind: Kind, record: Values, around: Surroundings): string {
  const column = columnsOf(kind, around)[0];
  return String(column?.cell(record) || t(kind.one));
}

export function KindDetailPage() {
  const { kind, id } = useAddress();
  return kind ? <KindDetail key={id} kind={kind} id={id} /> : <NotFound />;
}

function KindDetail({ kind, id }: { kind: Kind; id: string }) {
  const around = useSurroundings(kind);
  const parent = { to: `/settings/${kind.id}`, label: t(kind.title) };
  return (
    <Loaded
      query={useQuery(recordOf(kind, id))}
      title={t(kind.title)}
      parent={parent}
      missing={t("There is no such record. It may have been deleted.")}
    >
      {(record) => (
        <Page
          title={titleOf(kind, record, around)}
          parent={parent}
          toolbar={
            <>
              <LinkButton
                href={`/settings/${kind.id}/${id}/edit`}
                look="primary"
                needs={callOf("PUT", kind.path)}
              >
                {t("Edit")}
              </LinkButton>
              {!kind.isFixed && (
                <DeleteButton kind={kind} id={id} name={titleOf(kind, record, around)} />
              )}
            </>
          }
        >
          <RecordDetail sections={kind.sections} record={record} around={around} />
        </Page>
      )}
    </Loaded>
  );
}

interface DeleteProps {
  kind: Kind;
  id: string;
  name: string;
}

function DeleteButton({ kind, id, name }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const deleting = useDelete(kind, () => {
    announce(t("Deleted."));
    void router.navigate({ href: `/settings/${kind.id}` });
  });
  return (
    <>
      <Button needs={callOf("DELETE", kind.path)} onPress={() => setAsking(true)}>
        {t("Delete")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t("Delete {name}?", { name })}
          confirmLabel={t("Delete")}
          isBusy={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate(id)}
          onCancel={() => {
            deleting.reset();
            setAsking(false);
          }}
        >
          <p>{t("This cannot be undone. What is in use is not deleted.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

export function KindFormPage() {
  const { kind, id } = useAddress();
  return kind ? <KindForm key={`${kind.id} ${id}`} kind={kind} id={id} /> : <NotFound />;
}

function KindForm({ kind, id }: { kind: Kind; id: string }) {
  const around = useSurroundings(kind);
  const router = useRouter();
  const refresh = useRefresh(kind);
  const [made] = useState(() => newOf(kind));
  const list = `/settings/${kind.id}`;
  const back = id ? `${list}/${id}` : list;
  const query = useQuery({
    queryKey: ["settings-edit", kind.id, id],
    queryFn: () => (id ? readRecord(kind, id) : Promise.resolve(kind.blank)),
    gcTime: 0,
  });
  const saved = async (savedId: unknown) => {
    await router.navigate({ href: savedId ? `${list}/${savedId}` : list, ignoreBlocker: true });
    await refresh();
  };
  const pending = { ...query, data: undefined } as typeof query;
  return (
    <Loaded
      query={around.references.isPending ? pending : query}
      title={t(kind.title)}
      parent={{ to: list, label: t(kind.title) }}
      missing={t("There is no such record. It may have been deleted.")}
    >
      {(record) => (
        <Page
          title={
            id
              ? t("Edit {title}", { title: titleOf(kind, record, around) })
              : t("New: {what}", { what: t(kind.one) })
          }
          parent={{ to: back, label: t("Back") }}
        >
          <Editor
            sections={kind.sections}
            initial={record}
            references={around.references}
            save={(record, base) => saveRecord(kind, record, base, made)}
            needs={callOf(id ? "PUT" : "POST", kind.path)}
            {...(id && { reread: () => readRecord(kind, id) })}
            onSaved={(id) => void saved(id)}
            onCancel={() => void router.navigate({ href: back })}
          />
        </Page>
      )}
    </Loaded>
  );
}
