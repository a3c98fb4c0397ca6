/** How a scan can end: its mark, colour, words and sound, for the eye, the ear and a screen reader, in one table. */
import { msg } from "../../lib/i18n";

export type OutcomeName =
  | "done"
  | "patron"
  | "hold"
  | "delivery"
  | "transit"
  | "attention"
  | "decision"
  | "refused"
  | "lost";

export interface Outcome {
  /** What it means, for the page of sounds. */
  meaning: string;
  /** Spoken before the details; nothing for what needs nothing more. */
  said?: string;
  /** A shape in addition to the colour. */
  mark: string;
  tone: "good" | "info" | "notice" | "bad";
  /** Frequency in hertz and length in milliseconds of each note. Told apart by rhythm and direction, not pitch alone. */
  sound: readonly (readonly [frequency: number, length: number])[];
}

export const OUTCOMES: Record<OutcomeName, Outcome> = {
  done: { meaning: msg("Done"), mark: "✓", tone: "good", sound: [[880, 70]] },
  patron: {
    meaning: msg("A patron's card"),
    mark: "✓",
    tone: "good",
    sound: [
      [660, 60],
      [880, 60],
    ],
  },
  transit: {
    meaning: msg("Done: send the item to another place"),
    said: msg("Send it away."),
    mark: "→",
    tone: "info",
    sound: [
      [523, 90],
      [659, 90],
      [784, 140],
    ],
  },
  hold: {
    meaning: msg("Done: put the item on the hold shelf"),
    said: msg("Hold shelf."),
    mark: "!",
    tone: "notice",
    sound: [
      [784, 120],
      [784, 120],
    ],
  },
  delivery: {
    meaning: msg("Done: the item is to be delivered"),
    said: msg("Delivery."),
    mark: "!",
    tone: "notice",
    sound: [
      [784, 90],
      [784, 90],
      [784, 90],
    ],
  },
  attention: {
    meaning: msg("Done: read what it says about the item"),
    said: msg("Look at the item."),
    mark: "!",
    tone: "notice",
    sound: [
      [784, 90],
      [587, 180],
    ],
  },
  decision: {
    meaning: msg("Refused: you can decide otherwise"),
    said: msg("Your decision."),
    mark: "?",
    tone: "bad",
    sound: [
      [330, 130],
      [440, 220],
    ],
  },
  refused: { meaning: msg("Refused"), mark: "✕", tone: "bad", sound: [[220, 350]] },
  lost: {
    meaning: msg("The server does not answer; the scans wait"),
    said: msg("No connection."),
    mark: "…",
    tone: "bad",
    sound: [
      [330, 160],
      [262, 160],
      [196, 300],
    ],
  },
};

/** From what may be passed over to what must not be. */
const BY_WEIGHT: readonly OutcomeName[] = [
  "done",
  "patron",
  "transit",
  "delivery",
  "hold",
  "attention",
  "decision",
  "refused",
  "lost",
];

/** Of several outcomes at once, the one to be heard. */
export function weightiest(names: readonly OutcomeName[]): OutcomeName | undefined {
  return BY_WEIGHT.findLast((name) => names.includes(name));
}
