import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { getRecord, saveRecord } from "../../../api/archives";
import { isStale } from "../../../api/archivesClient";
import type { AnyRecord } from "../../../api/archivesTypes";
import { t } from "../../../lib/i18n";
import { Button } from "../../../ui/Button";
import { ConfirmDialog } from "../../../ui/ConfirmDialog";
import controls from "../../../ui/controls.module.css";
import { announce } from "../../../ui/LiveRegion";
import { Notice } from "../../../ui/Notice";
import { ProblemNotice } from "../../../ui/ProblemNotice";
import { ARCHIVES_KEY, valueLists } from "../queries";
import { inWords } from "../values";
import { DescriptionForm } from "./DescriptionForm";
import { type Draft, dropDraft, isChanged, keepDraft, rebased } from "./drafts";
import type { FormProps } from "./forms";
import { AgentForm, ContainerForm, SubjectForm } from "./OtherForms";
import styles from "./Record.module.css";
import { titleOf } from "./RecordPane";

interface Props {
  uri: string;
  repository: number;
  draft: Draft;
  onSaved: (() => void) | undefined;
}

export function RecordEditor({ uri, repository, draft, onSaved }: Props) {
  const client = useQueryClient();
  const lists = useQuery(valueLists).data ?? {};
  const [isLeaving, setLeaving] = useState(false);
  const [clashes, setClashes] = useState<string[]>();
  const saving = useMutation({
    mutationFn: () => saveRecord(uri, draft.mine),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ARCHIVES_KEY });
      dropDraft(uri);
      announce(t("Saved."));
      onSaved?.();
    },
  });
  const reading = useMutation({
    mutationFn: () => getRecord(uri, ["subjects", "linked_agents", "top_container"]),
    onSuccess: (theirs) => {
      const result = rebased(draft, theirs);
      keepDraft(uri, result.draft);
      setClashes(result.clashes);
      saving.reset();
    },
  });
  const leave = () => (isChanged(draft) ? setLeaving(true) : dropDraft(uri));
  return (
    <Form
      className={controls.form ?? ""}
      aria-label={t("Edit the record")}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <h2 className={styles.heading}>{titleOf(draft.base)}</h2>
      <RecordForm
        mine={draft.mine}
        set={(changes) => keepDraft(uri, { ...draft, mine: { ...draft.mine, ...changes } })}
        lists={lists}
        repository={repository}
      />
      <ProblemNotice
        error={saving.error}
        title={isStale(saving.error) ? "" : t("The record was not saved.")}
        onReload={() => reading.mutate()}
        onRetry={() => saving.mutate()}
      />
      <ProblemNotice error={reading.error} onRetry={() => reading.mutate()} />
      {clashes && <Clashes names={clashes} theirs={draft.base} />}
      <div className={styles.save}>
        <Button type="submit" look="primary" isPending={saving.isPending}>
          {t("Save")}
        </Button>
        <Button onPress={leave}>{t("Cancel")}</Button>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={t("Drop the changes?")}
          confirmLabel={t("Drop the changes")}
          onConfirm={() => dropDraft(uri)}
          onCancel={() => setLeaving(false)}
        >
          <p>{t("What you changed in this record is not saved.")}</p>
        </ConfirmDialog>
      )}
    </Form>
  );
}

function RecordForm(props: FormProps<AnyRecord>) {
  const kind = props.mine.jsonmodel_type;
  if (kind === "top_container") return <ContainerForm {...props} />;
  if (kind === "subject") return <SubjectForm {...props} />;
  if (kind.startsWith("agent_")) return <AgentForm {...props} />;
  return <DescriptionForm {...props} />;
}

/** After reading again: what the other has saved is here, and what both changed is named. */
function Clashes({ names, theirs }: { names: string[]; theirs: AnyRecord }) {
  const who = theirs.last_modified_by ?? "";
  return (
    <Notice look="warning" role="alert">
      <p>{t("The record is now as {who} saved it, with your changes on top.", { who })}</p>
      {names.length > 0 && (
        <p>
          {t("Both of you changed: {parts}. Yours are shown; saving replaces theirs.", {
            parts: names.map((name) => inWords(name)).join(", "),
          })}
        </p>
      )}
    </Notice>
  );
}
