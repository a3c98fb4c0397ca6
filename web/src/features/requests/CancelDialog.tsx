import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Request, replaceRequest } from "../../api/requests";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { announce } from "../../ui/LiveRegion";
import { useSession } from "../session/session";
import { cancellationReasons, requestsKey } from "./queries";

/** Asks why a request is cancelled. */
export function CancelDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const client = useQueryClient();
  const session = useSession();
  const { data: reasons } = useQuery(cancellationReasons);
  const [reasonId, setReasonId] = useState<string>();
  const reason = reasons?.find(({ id }) => id === reasonId);
  const cancel = useMutation({
    mutationFn: (information: string) =>
      replaceRequest(request.id, {
        ...request,
        status: "Closed - Cancelled",
        cancelledDate: new Date().toISOString(),
        ...(reasonId && { cancellationReasonId: reasonId }),
        ...(session && { cancelledByUserId: session.userId }),
        ...(information && { cancellationAdditionalInformation: information }),
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: requestsKey });
      announce(t("The request was cancelled."));
      onClose();
    },
  });
  if (!reasons) return null;
  return (
    <FormDialog
      title={t("Cancel the request")}
      submitLabel={t("Cancel the request")}
      isBusy={cancel.isPending}
      error={cancel.error}
      onSubmit={(form) => cancel.mutate(String(form.get("information") ?? "").trim())}
      onCancel={onClose}
    >
      <SelectField
        label={t("Reason")}
        name="reason"
        options={reasons.map(({ id, name }) => ({ id, label: name }))}
        onChange={setReasonId}
        isRequired
        autoFocus
      />
      <TextField
        label={t("Additional information")}
        name="information"
        isRequired={reason?.requiresAdditionalInformation ?? false}
        autoComplete="off"
      />
    </FormDialog>
  );
}
