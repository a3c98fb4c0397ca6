/** Announces results to assistive technology: successes politely, refusals at once. */
import { Store, useStore } from "../lib/store";

interface Announcement {
  text: string;
  urgency: "polite" | "assertive";
  /** Grows with each announcement, so that a repeated text is announced again. */
  turn: number;
}

const store = new Store<Announcement>({ text: "", urgency: "polite", turn: 0 });

export function announce(text: string, urgency: Announcement["urgency"] = "polite"): void {
  store.set({ text, urgency, turn: store.snapshot().turn + 1 });
}

export function LiveRegion() {
  const { text, urgency, turn } = useStore(store);
  return (
    <div className="visually-hidden">
      <output aria-live="polite">{urgency === "polite" && <span key={turn}>{text}</span>}</output>
      <div role="alert">{urgency === "assertive" && <span key={turn}>{text}</span>}</div>
    </div>
  );
}
