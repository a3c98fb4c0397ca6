import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { listAllowedServicePoints, type Request, replaceRequest } from "../../api/requests";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { FormDialog } from "../../ui/FormDialog";
import { announce } from "../../ui/LiveRegion";
import { requestsKey } from "./queries";

/** Where and how long the requester waits. */
export function EditDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const client = useQueryClient();
  const [expires, setExpires] = useState(request.requestExpirationDate?.slice(0, 10) ?? "");
  const { data: allowed } = useQuery({
    queryKey: [...requestsKey, request.id, "allowed"],
    queryFn: () => listAllowedServicePoints({ operation: "replace", requestId: request.id }),
  });
  const save = useMutation({
    mutationFn: (pickupServicePointId: string) => {
      const { requestExpirationDate: _, ...kept } = request;
      return replaceRequest(request.id, {
        ...kept,
        ...(pickupServicePointId && { pickupServicePointId }),
        ...(expires && { requestExpirationDate: `${expires}T23:59:59.000Z` }),
      });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: requestsKey });
      announce(t("The request was saved."));
      onClose();
    },
  });
  if (!allowed) return null;
  const places = allowed[request.requestType ?? "Hold"] ?? [];
  return (
    <FormDialog
      title={t("Edit the request")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(form) => save.mutate(String(form.get("pickup") ?? ""))}
      onCancel={onClose}
    >
      {request.fulfillmentPreference !== "Delivery" && (
        <SelectField
          label={t("Pickup at")}
          name="pickup"
          options={places.map(({ id, name }) => ({ id, label: name }))}
          defaultValue={request.pickupServicePointId}
          isRequired
          autoFocus
        />
      )}
      <DayField label={t("Expires")} value={expires} onChange={setExpires} />
    </FormDialog>
  );
}
