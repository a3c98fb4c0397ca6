import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getProxy, type ProxyInput, type ProxyRelation, replaceProxy } from "../../api/patrons";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { FormDialog } from "../../ui/FormDialog";
import { ChangedNotice } from "../records/ChangedNotice";
import { useNewRecord } from "../records/newRecord";
import { ChangedElsewhereError, useDraft } from "../records/useDraft";
import { PatronPicker } from "./PatronPicker";

interface Props {
  user: User;
  /** What the other person is to this patron. */
  role: "proxy" | "sponsor";
  /** The relationship to change; a new one without it. */
  proxy: ProxyRelation | undefined;
  onClose: () => void;
}

interface Draft {
  isActive: boolean;
  mayRequest: boolean;
  notices: string;
  expires: string;
}

export function ProxyDialog({ user, role, proxy, onClose }: Props) {
  const client = useQueryClient();
  const made = useNewRecord("/proxiesfor");
  const [other, setOther] = useState<User>();
  const { draft, meanwhile, change, join, write } = useDraft(proxy, draftOf);
  const save = useMutation({
    mutationFn: async (): Promise<unknown> => {
      if (!proxy) return made.save({ ...relationOf(draft, newRelation()) });
      return write(
        () => getProxy(proxy.id),
        (latest) => replaceProxy(proxy.id, relationOf(draft, latest ?? proxy)),
      );
    },
    onError: join,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["patrons"] });
      onClose();
    },
  });
  const newRelation = (): ProxyInput => {
    const pair = role === "proxy" ? [user.id, other?.id] : [other?.id, user.id];
    const [userId = "", proxyUserId = ""] = pair;
    return { userId, proxyUserId, accrueTo: "Sponsor" };
  };
  const notices = [
    { id: "Sponsor", label: t("the sponsor") },
    { id: "Proxy", label: t("the proxy") },
  ];
  const shown = (value: Draft[keyof Draft]): string => {
    if (typeof value === "boolean") return value ? t("Yes") : t("No");
    return notices.find(({ id }) => id === value)?.label ?? value;
  };
  return (
    <FormDialog
      title={role === "proxy" ? t("Proxy of this patron") : t("Sponsor of this patron")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error instanceof ChangedElsewhereError ? null : save.error}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      {meanwhile && (
        <ChangedNotice {...{ meanwhile, draft, shown }} labels={labels()} onChange={change} />
      )}
      {!proxy && (
        <PatronPicker
          label={role === "proxy" ? t("Proxy") : t("Sponsor")}
          description={t("Type a name or a barcode.")}
          onChange={setOther}
          autoFocus
        />
      )}
      <Checkbox
        label={t("Active")}
        isSelected={draft.isActive}
        onChange={(isActive) => change({ isActive })}
      />
      <Checkbox
        label={t("The proxy may request for the sponsor")}
        isSelected={draft.mayRequest}
        onChange={(mayRequest) => change({ mayRequest })}
      />
      <SelectField
        label={t("Notices go to")}
        options={notices}
        value={draft.notices}
        onChange={(notices) => change({ notices })}
      />
      <DayField
        label={t("Expires")}
        value={draft.expires}
        onChange={(expires) => change({ expires })}
      />
    </FormDialog>
  );
}

/** The names of the form's fields. */
const labels = (): Record<keyof Draft, string> => ({
  isActive: t("Active"),
  mayRequest: t("The proxy may request for the sponsor"),
  notices: t("Notices go to"),
  expires: t("Expires"),
});

const draftOf = (proxy: ProxyRelation | undefined): Draft => ({
  isActive: proxy?.status !== "Inactive",
  mayRequest: proxy?.requestForSponsor !== "No",
  notices: proxy?.notificationsTo ?? "Sponsor",
  expires: proxy?.expirationDate?.slice(0, 10) ?? "",
});

function relationOf(draft: Draft, latest: ProxyRelation | ProxyInput): ProxyInput {
  const { metadata: _, expirationDate: __, ...kept } = latest as ProxyRelation;
  return {
    ...kept,
    status: draft.isActive ? "Active" : "Inactive",
    requestForSponsor: draft.mayRequest ? "Yes" : "No",
    notificationsTo: draft.notices,
    ...(draft.expires && { expirationDate: `${draft.expires}T23:59:59.000Z` }),
  };
}
