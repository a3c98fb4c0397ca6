import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CheckboxGroup, Label } from "react-aria-components";
import { type BlockInput, getBlock, listBlockTemplates, replaceBlock } from "../../api/patrons";
import type { ManualBlock } from "../../api/types";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { FormDialog } from "../../ui/FormDialog";
import { TextArea, TextField } from "../../ui/fields";
import { Notice } from "../../ui/Notice";
import { manualStops, STOPS, type Stop } from "../patrons/patron";
import { patronKey } from "../patrons/queries";
import { ChangedNotice } from "../records/ChangedNotice";
import { useNewRecord } from "../records/newRecord";
import { ChangedElsewhereError, useDraft } from "../records/useDraft";

interface Props {
  userId: string;
  /** The block to change; a new one without it. */
  block: ManualBlock | undefined;
  onClose: () => void;
}

interface Draft {
  desc: string;
  staffInformation: string;
  patronMessage: string;
  expires: string;
  stops: Stop[];
}

const ALL_STOPS: Stop[] = ["borrowing", "renewals", "requests"];

export function BlockDialog({ userId, block, onClose }: Props) {
  const client = useQueryClient();
  const { draft, meanwhile, change, join, write } = useDraft(block, draftOf);
  const made = useNewRecord("/manualblocks");
  const save = useMutation({
    mutationFn: async (): Promise<unknown> =>
      block
        ? write(
            () => getBlock(block.id),
            (latest) => replaceBlock(block.id, blockOf(draft, latest, userId)),
          )
        : made.save({ ...blockOf(draft, undefined, userId) }),
    onError: join,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: patronKey(userId) });
      onClose();
    },
  });
  return (
    <FormDialog
      title={block ? t("Change the block") : t("Add a block")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error instanceof ChangedElsewhereError ? null : save.error}
      onSubmit={() => draft.stops.length > 0 && save.mutate()}
      onCancel={onClose}
    >
      {meanwhile && (
        <ChangedNotice {...{ meanwhile, draft, shown }} labels={labels()} onChange={change} />
      )}
      {!block && <Template onChoose={change} />}
      <TextField
        label={t("Description")}
        value={draft.desc}
        onChange={(desc) => change({ desc })}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <TextArea
        label={t("Information for staff")}
        rows={2}
        value={draft.staffInformation}
        onChange={(staffInformation) => change({ staffInformation })}
      />
      <TextArea
        label={t("Message to the patron")}
        rows={2}
        value={draft.patronMessage}
        onChange={(patronMessage) => change({ patronMessage })}
      />
      <DayField
        label={t("Expires")}
        value={draft.expires}
        onChange={(expires) => change({ expires })}
      />
      <CheckboxGroup
        value={draft.stops}
        onChange={(on) => change({ stops: ALL_STOPS.filter((stop) => on.includes(stop)) })}
      >
        <Label>{t("The block stops")}</Label>
        {ALL_STOPS.map((stop) => (
          <Checkbox key={stop} value={stop} label={t(STOPS[stop])} />
        ))}
      </CheckboxGroup>
      {draft.stops.length === 0 && (
        <Notice look="warning">{t("A block has to stop something. Choose at least one.")}</Notice>
      )}
    </FormDialog>
  );
}

/** The names of the form's fields. */
const labels = (): Record<keyof Draft, string> => ({
  desc: t("Description"),
  staffInformation: t("Information for staff"),
  patronMessage: t("Message to the patron"),
  expires: t("Expires"),
  stops: t("The block stops"),
});

const shown = (value: Draft[keyof Draft]): string =>
  typeof value === "string" ? value : value.map((stop) => t(STOPS[stop])).join(", ");

/** Fills the form from what the library has prepared. */
function Template({ onChoose }: { onChoose: (changes: Partial<Draft>) => void }) {
  const { data: templates = [] } = useQuery({
    queryKey: ["block-templates"],
    queryFn: listBlockTemplates,
    staleTime: 600_000,
  });
  if (templates.length === 0) return null;
  const choose = (id: string) => {
    const template = templates.find((each) => each.id === id)?.blockTemplate ?? {};
    const { desc = "", patronMessage = "", ...stops } = template;
    onChoose({ desc, patronMessage, stops: ALL_STOPS.filter((stop) => stops[stop] === true) });
  };
  return (
    <SelectField
      label={t("Template")}
      options={templates.map(({ id, name }) => ({ id, label: name }))}
      onChange={choose}
    />
  );
}

function draftOf(block: ManualBlock | undefined): Draft {
  return {
    desc: block?.desc ?? "",
    staffInformation: block?.staffInformation ?? "",
    patronMessage: block?.patronMessage ?? "",
    expires: block?.expirationDate?.slice(0, 10) ?? "",
    stops: block ? manualStops(block) : [...ALL_STOPS],
  };
}

function blockOf(draft: Draft, block: ManualBlock | undefined, userId: string): BlockInput {
  const { metadata: _, expirationDate: __, ...kept } = block ?? { userId, type: "Manual" };
  const { desc, staffInformation, patronMessage, expires, stops } = draft;
  return {
    ...kept,
    desc: desc.trim(),
    staffInformation,
    patronMessage,
    ...Object.fromEntries(ALL_STOPS.map((stop) => [stop, stops.includes(stop)])),
    ...(expires && { expirationDate: `${expires}T23:59:59.000Z` }),
  } as BlockInput;
}
