/** The queues of a signed-in desk. They outlive their pages, so that switching tasks loses nothing. */
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useStore } from "../../lib/store";
import { createDeskQueue } from "../desk/deskQueue";
import { createLoanRun } from "../loans/loanRun";
import { isPending, type Scan } from "./scanQueue";

const createQueues = () => ({
  desk: createDeskQueue(),
  loans: createLoanRun(),
});

type DeskQueues = ReturnType<typeof createQueues>;

const Context = createContext<DeskQueues | undefined>(undefined);

export function useDeskQueues(): DeskQueues {
  const queues = useContext(Context);
  if (!queues) throw new Error("useDeskQueues needs a DeskQueuesProvider above it");
  return queues;
}

/** The number of unanswered scans. */
export function useUnansweredScans(): number {
  return useUnanswered(useDeskQueues());
}

interface Props {
  /** Whether the queues wait for the user to sign in again. */
  isWaiting: boolean;
  children: ReactNode;
}

export function DeskQueuesProvider({ isWaiting, children }: Props) {
  const [queues] = useState(createQueues);
  useEffect(() => {
    if (isWaiting) return;
    for (const queue of Object.values(queues)) {
      if (queue.snapshot().pause === "session-expired") queue.resume();
    }
  }, [queues, isWaiting]);
  useGuardAgainstLeaving(queues);
  return <Context value={queues}>{children}</Context>;
}

/** Makes the browser ask before it closes a page with unanswered scans. */
function useGuardAgainstLeaving(queues: DeskQueues): void {
  const hasUnanswered = useUnanswered(queues) > 0;
  useEffect(() => {
    if (!hasUnanswered) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [hasUnanswered]);
}

function useUnanswered({ desk, loans }: DeskQueues): number {
  const scans: readonly Scan<unknown, unknown>[] = [
    ...useStore(desk).scans,
    ...useStore(loans).scans,
  ];
  return scans.filter(isPending).length;
}
