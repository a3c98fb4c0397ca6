/** The open requests of an item or a title, whose order staff change by dragging or by keyboard. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import {
  Button as AriaButton,
  GridList,
  GridListItem,
  ListLayout,
  useDragAndDrop,
  Virtualizer,
} from "react-aria-components";
import { type QueueOf, type Request, reorderQueue } from "../../api/requests";
import { formatDate } from "../../lib/dates";
import { fixed } from "../../lib/fixedValues";
import { t } from "../../lib/i18n";
import { useWhyNot } from "../../lib/may";
import { useIsPrinting } from "../../lib/useIsPrinting";
import { announce } from "../../ui/LiveRegion";
import { Page } from "../../ui/Page";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { useClock } from "../tenant/useClock";
import styles from "./Queue.module.css";
import { queueOf, requestsKey } from "./queries";
import { fixedTop, moved, placesOf } from "./queue";
import { RequestStatus } from "./RequestStatus";
import { requesterOf, titleOf } from "./requestColumns";

export default function QueuePage() {
  const { kind = "item", id = "" } = useParams({ strict: false }) as Partial<QueueOf>;
  const of: QueueOf = { kind, id };
  const { data: queue, error, refetch } = useQuery(queueOf(of));
  const first = queue?.[0];
  return (
    <Page
      title={t("Queue")}
      subtitle={
        first &&
        [titleOf(first), kind === "item" && first.item?.barcode].filter(Boolean).join(" · ")
      }
      parent={{ to: "/requests", label: t("Requests") }}
    >
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {queue?.length === 0 && <p>{t("Nobody waits.")}</p>}
      {queue && queue.length > 0 && <Queue of={of} queue={queue} />}
    </Page>
  );
}

const REORDER = {
  item: "POST /circulation/requests/queue/item/{itemId}/reorder",
  instance: "POST /circulation/requests/queue/instance/{instanceId}/reorder",
} as const;

/** About the pixels of a request in the queue, until it is drawn. */
const ROW = 60;

function Queue({ of, queue }: { of: QueueOf; queue: Request[] }) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState<Request[]>();
  const fixed = fixedTop(queue, of.kind);
  const reorder = useMutation({
    mutationFn: (order: Request[]) => reorderQueue(of, placesOf(order)),
    onSuccess: () => announce(t("The order was saved.")),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: requestsKey });
      setWanted(undefined);
    },
  });
  const order = wanted ?? queue;
  const isPrinting = useIsPrinting();
  const refusal = useWhyNot(REORDER[of.kind]);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const place = target.dropPosition === "after" ? "after" : "before";
      const ids = new Set([...keys].map(String));
      const reordered = moved(order, ids, { id: String(target.key), place }, fixed);
      setWanted(reordered);
      reorder.mutate(reordered);
    },
    isDisabled: reorder.isPending || refusal !== undefined,
  });
  const list = (
    <GridList
      aria-label={t("Queue")}
      className={styles.queue ?? ""}
      items={order.map((request, n) => ({ ...request, place: n + 1 }))}
      dragAndDropHooks={dragAndDropHooks}
      selectionMode="none"
      dependencies={[fixed, refusal]}
    >
      {(request) => (
        <Entry request={request} isFixed={request.place <= fixed || refusal !== undefined} />
      )}
    </GridList>
  );
  return (
    <>
      <p>
        {refusal ??
          t(
            "Drag a request, or go to its handle, press Enter, choose the place with the arrow keys, and press Enter again.",
          )}
        {fixed > 0 &&
          ` ${t("{fixed, plural, one {The first one keeps its place} other {The first # keep their places}}, because fulfilment has begun.", { fixed })}`}
      </p>
      <ProblemNotice error={reorder.error} title={t("The order was not changed.")} />
      {isPrinting ? (
        list
      ) : (
        <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowSize: ROW }}>
          {list}
        </Virtualizer>
      )}
    </>
  );
}

function Entry(props: { request: Request & { place: number }; isFixed: boolean }) {
  const { request, isFixed } = props;
  const clock = useClock();
  const { place, status, requestDate, pickupServicePoint } = request;
  const type = fixed("requestType", request.requestType);
  const name = requesterOf(request);
  return (
    <GridListItem
      id={request.id}
      textValue={`${place}. ${name}, ${type}`}
      className={styles.entry ?? ""}
    >
      <AriaButton
        slot="drag"
        className={styles.handle ?? ""}
        aria-label={t("Move {name}", { name })}
        isDisabled={isFixed}
      >
        ≡
      </AriaButton>
      <span className={styles.place}>{place}</span>
      <div className={styles.facts}>
        <Link to={`/requests/${request.id}` as "/"}>{name}</Link> {type}{" "}
        <RequestStatus status={status} />
        <div className={styles.muted}>
          {[requestDate && formatDate(requestDate, clock), pickupServicePoint?.name]
            .filter(Boolean)
            .join(" · ")}
        </div>
      </div>
    </GridListItem>
  );
}
