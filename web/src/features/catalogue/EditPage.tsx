/** The forms of the catalogue: an instance, holdings or item, new or changed. */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useRouter } from "@tanstack/react-router";
import type { Call } from "../../api/permissions";
import { t } from "../../lib/i18n";
import { Loaded } from "../../ui/Loaded";
import { Page } from "../../ui/Page";
import { Editor } from "../records/Editor";
import { fieldsOf, type Section } from "../records/kind";
import { useNewRecord } from "../records/newRecord";
import { type ReferenceName, useReferences } from "../records/references";
import { referencesOf } from "../records/show";
import type { Values } from "../records/values";
import { type CataloguePath, save } from "./editing";
import { CATALOGUE } from "./queries";

interface Props {
  title: (record: Values) => string;
  /** While it is not known. */
  waiting: string;
  sections: readonly Section[];
  queryKey: readonly string[];
  read: () => Promise<Values>;
  /** Whether the record is stored and can be read again. */
  isStored: boolean;
  /** Of the list that the record is in. */
  path: CataloguePath;
  /** The call that saving is. */
  needs: Call;
  /** The page of the record that was saved. */
  pageOf: (record: Values, id: string) => string;
}

/** Reads the record anew, so that an edit begins with the latest version. */
export function EditPage(props: Props) {
  const query = useQuery({
    queryKey: [...CATALOGUE, "edit", ...props.queryKey],
    queryFn: props.read,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const references = useReferences(referencesOf(fieldsOf(props.sections)));
  const ready = references.isPending ? waiting(query) : query;
  return (
    <Loaded
      query={ready}
      title={props.waiting}
      parent={{ to: "/catalogue", label: t("Catalogue") }}
      missing={t("There is no such record. It may have been deleted.")}
    >
      {(record) => <Form {...props} initial={record} />}
    </Loaded>
  );
}

/** Fields that choose need their lists. */
function waiting<T>(query: UseQueryResult<T>): UseQueryResult<T> {
  return { ...query, data: undefined } as UseQueryResult<T>;
}

function Form({ initial, ...props }: Props & { initial: Values }) {
  const { sections, read, isStored, path, needs, pageOf, title } = props;
  const router = useRouter();
  const made = useNewRecord(path);
  const client = useQueryClient();
  const names: ReferenceName[] = referencesOf(fieldsOf(sections));
  const references = useReferences(names);
  const back = pageOf(initial, String(initial.id ?? ""));
  const saved = async (id: unknown) => {
    await client.invalidateQueries({ queryKey: CATALOGUE, refetchType: "none" });
    await router.navigate({ href: pageOf(initial, String(id)), ignoreBlocker: true });
  };
  return (
    <Page title={title(initial)} parent={{ to: back, label: t("Back") }}>
      <Editor
        sections={sections}
        initial={initial}
        references={references}
        save={(record) => save(path, record, made)}
        needs={needs}
        {...(isStored && { reread: read })}
        onSaved={(id) => void saved(id)}
        onCancel={() => void router.navigate({ href: back })}
      />
    </Page>
  );
}

export const useId = () => (useParams({ strict: false }) as { id?: string }).id ?? "";
