import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  getRequest,
  listAllowedServicePoints,
  type Request,
  replaceRequest,
} from "../../api/requests";
import { t } from "../../lib/i18n";
import { SelectField } from "../../ui/choices";
import { DayField } from "../../ui/DayField";
import { FormDialog } from "../../ui/FormDialog";
import { announce } from "../../ui/LiveRegion";
import { ChangedNotice } from "../records/ChangedNotice";
import { ChangedElsewhereError, useDraft } from "../records/useDraft";
import { requestsKey, servicePoints } from "./queries";

interface Draft {
  pickup: string;
  expires: string;
}

/** Where and how long the requester waits. */
export function EditDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const client = useQueryClient();
  const { draft, meanwhile, change, join, write } = useDraft(request, draftOf);
  const { data: everywhere } = useQuery(servicePoints);
  const { data: allowed } = useQuery({
    queryKey: [...requestsKey, request.id, "allowed"],
    queryFn: () => listAllowedServicePoints({ operation: "replace", requestId: request.id }),
  });
  const save = useMutation({
    mutationFn: () =>
      write(
        () => getRequest(request.id),
        (latest) => replaceRequest(request.id, requestOf(draft, latest)),
      ),
    onError: join,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: requestsKey });
      announce(t("The request was saved."));
      onClose();
    },
  });
  if (!allowed) return null;
  const shown = (value: string, field: keyof Draft) =>
    (field === "pickup" && everywhere?.servicepoints.find(({ id }) => id === value)?.name) || value;
  const places = allowed[request.requestType ?? "Hold"] ?? [];
  return (
    <FormDialog
      title={t("Edit the request")}
      submitLabel={t("Save")}
      isBusy={save.isPending}
      error={save.error instanceof ChangedElsewhereError ? null : save.error}
      onSubmit={() => save.mutate()}
      onCancel={onClose}
    >
      {meanwhile && (
        <ChangedNotice {...{ meanwhile, draft, shown }} labels={labels()} onChange={change} />
      )}
      {request.fulfillmentPreference !== "Delivery" && (
        <SelectField
          label={t("Pickup at")}
          options={places.map(({ id, name }) => ({ id, label: name }))}
          value={draft.pickup || null}
          onChange={(pickup) => change({ pickup })}
          isRequired
          autoFocus
        />
      )}
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
  pickup: t("Pickup at"),
  expires: t("Expires"),
});

const draftOf = (request: Request): Draft => ({
  pickup: request.pickupServicePointId ?? "",
  expires: request.requestExpirationDate?.slice(0, 10) ?? "",
});

function requestOf({ pickup, expires }: Draft, latest: Request): Request {
  const { requestExpirationDate: _, ...kept } = latest;
  return {
    ...kept,
    ...(pickup && { pickupServicePointId: pickup }),
    ...(expires && { requestExpirationDate: `${expires}T23:59:59.000Z` }),
  };
}
