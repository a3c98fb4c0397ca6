/** The order of a queue: what may change places, and the places to send (docs/folio/request-queues.md). */
import type { Place, QueueOf, Request } from "../../api/requests";

/** How many requests at the top keep their places, because a page or a fulfilment has begun. */
export function fixedTop(queue: readonly Request[], kind: QueueOf["kind"]): number {
  const isBegun = ({ status }: Request) => status !== "Open - Not yet filled";
  if (kind === "item") {
    const [first] = queue;
    return first && (isBegun(first) || first.requestType === "Page") ? 1 : 0;
  }
  const free = queue.findIndex((request) => !isBegun(request));
  return free === -1 ? queue.length : free;
}

/** The queue with these requests before or after the target; none above the fixed ones. */
export function moved(
  queue: readonly Request[],
  ids: ReadonlySet<string>,
  target: { id: string; place: "before" | "after" },
  fixed: number,
): Request[] {
  const moving = queue.filter(({ id }, n) => ids.has(id) && n >= fixed);
  const staying = queue.filter((request) => !moving.includes(request));
  const at = staying.findIndex(({ id }) => id === target.id);
  if (at === -1 || moving.length === 0) return [...queue];
  const to = Math.max(fixed, target.place === "after" ? at + 1 : at);
  return [...staying.slice(0, to), ...moving, ...staying.slice(to)];
}

export function placesOf(queue: readonly Request[]): Place[] {
  return queue.map(({ id }, n) => ({ id, newPosition: n + 1 }));
}
