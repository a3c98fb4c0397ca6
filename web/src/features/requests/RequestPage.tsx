/** One request: what is asked for, by whom, and what can be done about it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { moveRequest, type Request } from "../../api/requests";
import { formatDate, formatDateTime } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { useSeen } from "../../lib/seen";
import { Button } from "../../ui/Button";
import { Facts, Section } from "../../ui/Detail";
import { FormDialog } from "../../ui/FormDialog";
import { TextField } from "../../ui/fields";
import { Page } from "../../ui/Page";
import { ProblemNotice } from "../../ui/ProblemNotice";
import styles from "../patrons/Patrons.module.css";
import { useClock } from "../tenant/useClock";
import { WhyButton } from "../why/WhyButton";
import { CancelDialog } from "./CancelDialog";
import { EditDialog } from "./EditDialog";
import { findItem } from "./findItem";
import { request, requestsKey, titleLevel } from "./queries";
import { RequestStatus } from "./RequestStatus";
import { requesterOf, titleOf } from "./requestColumns";

/** What editing and cancelling are for the server. */
const CHANGE = "PUT /circulation/requests/{id}";

export default function RequestPage() {
  const { requestId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(request(requestId));
  const parent = { to: "/requests", label: t("Requests") };
  if (data) return <Loaded key={data.id} request={data} parent={parent} />;
  return (
    <Page title={t("Request")} parent={parent}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

function Loaded(props: { request: Request; parent: { to: string; label: string } }) {
  const { request, parent } = props;
  const [asking, setAsking] = useState<"edit" | "cancel" | "move">();
  const navigate = useNavigate();
  const byTitle = useQuery(titleLevel).data;
  const isClosed = request.status?.startsWith("Closed");
  useSeen(`/requests/${request.id}`, t("Request: {title}", { title: titleOf(request) }));
  const why = isClosed ? t("The request is closed.") : undefined;
  const close = () => setAsking(undefined);
  const queue = byTitle
    ? `/requests/queue/instance/${request.instanceId}`
    : request.itemId && `/requests/queue/item/${request.itemId}`;
  return (
    <Page
      title={titleOf(request)}
      subtitle={<RequestStatus status={request.status} />}
      parent={parent}
      toolbar={
        <>
          <Button needs={CHANGE} disabledReason={why} onPress={() => setAsking("edit")}>
            {t("Edit…")}
          </Button>
          <Button
            needs="POST /circulation/requests/{id}/move"
            disabledReason={why ?? (request.itemId ? undefined : t("No copy was chosen yet."))}
            onPress={() => setAsking("move")}
          >
            {t("Move…")}
          </Button>
          <Button needs={CHANGE} disabledReason={why} onPress={() => setAsking("cancel")}>
            {t("Cancel the request…")}
          </Button>
          {queue && (
            <Button onPress={() => void navigate({ to: queue as "/" })}>{t("Queue")}</Button>
          )}
        </>
      }
    >
      <RequestFacts request={request} />
      {asking === "edit" && <EditDialog request={request} onClose={close} />}
      {asking === "cancel" && <CancelDialog request={request} onClose={close} />}
      {asking === "move" && <MoveDialog request={request} onClose={close} />}
    </Page>
  );
}

function RequestFacts({ request }: { request: Request }) {
  const clock = useClock();
  const day = (text: string | undefined) => text && formatDate(text, clock);
  const { item, requester, proxy, pickupServicePoint } = request;
  return (
    <div className={styles.form}>
      <Section title={t("Request")}>
        <Facts
          facts={[
            [t("Type"), fixed("requestType", request.requestType)],
            [t("Level"), request.requestLevel === "Title" ? t("Any copy") : t("This copy")],
            [t("Place in the queue"), request.position],
            [t("Requested"), request.requestDate && formatDateTime(request.requestDate, clock)],
            [t("Expires"), day(request.requestExpirationDate)],
            [t("On the hold shelf until"), day(request.holdShelfExpirationDate)],
            [t("Pickup"), pickupServicePoint?.name ?? t("Delivery")],
            [t("Comment of the patron"), request.patronComments],
            [t("Cancelled because"), request.cancellationAdditionalInformation],
          ]}
        />
      </Section>
      <Section title={t("Item")}>
        <Facts
          facts={[
            [t("Barcode"), item?.barcode],
            [t("Item status"), fixed("itemStatus", item?.status)],
            [t("Location"), item?.location?.name],
            [t("Call number"), item?.callNumber],
            [
              t("Due"),
              request.loan && request.itemId && (
                <>
                  {formatDateTime(request.loan.dueDate, clock)}{" "}
                  <WhyButton
                    question={{ about: "loan-of-item", itemId: request.itemId }}
                    subject={titleOf(request)}
                  />
                </>
              ),
            ],
          ]}
        />
      </Section>
      <Section title={t("Requester")}>
        <Facts
          facts={[
            [
              t("Name"),
              <Link key="name" to={`/patrons/${request.requesterId}` as "/"}>
                {requesterOf(request)}
              </Link>,
            ],
            [t("Barcode"), requester?.barcode],
            [t("Patron group"), requester?.patronGroup?.group],
            [t("Proxy"), proxy && [proxy.lastName, proxy.firstName].filter(Boolean).join(", ")],
          ]}
        />
      </Section>
    </div>
  );
}

function MoveDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: async (barcode: string) => {
      const item = await findItem(barcode);
      return moveRequest(request.id, item.id, request.requestType);
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: requestsKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("Move the request")}
      submitLabel={t("Move")}
      isBusy={move.isPending}
      error={move.error}
      onSubmit={(form) => move.mutate(String(form.get("barcode")).trim())}
      onCancel={onClose}
    >
      <p>{t("To another copy of the same title. The request becomes the last of its queue.")}</p>
      <TextField
        label={t("Barcode of the other copy")}
        name="barcode"
        isRequired
        autoFocus
        autoComplete="off"
      />
    </FormDialog>
  );
}
