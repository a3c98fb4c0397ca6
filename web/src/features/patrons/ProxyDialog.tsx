import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ProxyInput, type ProxyRelation, replaceProxy } from "../../api/patrons";
import type { User } from "../../api/types";
import { t } from "../../lib/i18n";
import { Checkbox, SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { FormDialog } from "../../ui/FormDialog";
import { useNewRecord } from "../records/newRecord";
import { PatronPicker } from "./PatronPicker";

interface Props {
  user: User;
  /** What the other person is to this patron. */
  role: "proxy" | "sponsor";
  /** The relationship to change; a new one without it. */
  proxy: ProxyRelation | undefined;
  onClose: () => void;
}

export function ProxyDialog({ user, role, proxy, onClose }: Props) {
  const client = useQueryClient();
  const made = useNewRecord("/proxiesfor");
  const [other, setOther] = useState<User>();
  const [expires, setExpires] = useState(proxy?.expirationDate?.slice(0, 10) ?? "");
  const save = useMutation({
    mutationFn: (body: ProxyInput): Promise<unknown> =>
      proxy ? replaceProxy(proxy.id, body) : made.save({ ...body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["patrons"] });
      onClose();
    },
  });
  const submit = (form: FormData) => {
    const { metadata: _, expirationDate: __, ...kept } = proxy ?? {};
    const pair = role === "proxy" ? [user.id, other?.id] : [other?.id, user.id];
    const [userId = "", proxyUserId = ""] = pair;
    save.mutate({
      ...(proxy ? kept : { userId, proxyUserId, accrueTo: "Sponsor" }),
      status: form.has("active") ? "Active" : "Inactive",
      requestForSponsor: form.has("requests") ? "Yes" : "No",
      notificationsTo: String(form.get("notifications")),
      ...(expires && { expirationDate: `${expires}T23:59:59.000Z` }),
    });
  };
  return (
    <FormDialog
      title={role === "proxy" ? t("Proxy of this patron") : t("Sponsor of this patron")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      {!proxy && (
        <PatronPicker
          label={role === "proxy" ? t("Proxy") : t("Sponsor")}
          description={t("Type a name or a barcode.")}
          onChange={setOther}
          autoFocus
        />
      )}
      <Checkbox name="active" label={t("Active")} defaultSelected={proxy?.status !== "Inactive"} />
      <Checkbox
        name="requests"
        label={t("The proxy may request for the sponsor")}
        defaultSelected={proxy?.requestForSponsor !== "No"}
      />
      <SelectField
        label={t("Notices go to")}
        name="notifications"
        options={[
          { id: "Sponsor", label: t("the sponsor") },
          { id: "Proxy", label: t("the proxy") },
        ]}
        defaultValue={proxy?.notificationsTo ?? "Sponsor"}
      />
      <DayField label={t("Expires")} value={expires} onChange={setExpires} />
    </FormDialog>
  );
}
