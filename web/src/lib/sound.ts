/** Short sounds made by the browser itself, as loud as the user wants them. */
import { Store, useStore } from "./store";

export type Loudness = "off" | "quiet" | "normal" | "loud";

const GAINS: Record<Loudness, number> = { off: 0, quiet: 0.04, normal: 0.12, loud: 0.3 };

const KEPT_AS = "carrel.sound";

/** Seconds of silence between two notes. */
const REST = 0.03;

const store = new Store<Loudness>(readLoudness(globalThis.localStorage?.getItem(KEPT_AS)));

let context: AudioContext | undefined;

export function useLoudness(): Loudness {
  return useStore(store);
}

export function chooseLoudness(loudness: Loudness): void {
  localStorage.setItem(KEPT_AS, loudness);
  store.set(loudness);
}

export function readLoudness(kept: string | null | undefined): Loudness {
  return kept && Object.hasOwn(GAINS, kept) ? (kept as Loudness) : "normal";
}

/** Plays notes of a frequency in hertz and a length in milliseconds. A browser without sound stays silent. */
export function play(notes: readonly (readonly [frequency: number, length: number])[]): void {
  const gain = GAINS[store.snapshot()];
  if (gain === 0 || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  void context.resume();
  let start = context.currentTime;
  for (const [frequency, length] of notes) {
    start = playNote(context, frequency, gain, start, start + length / 1000) + REST;
  }
}

/** Fades in and out within milliseconds, because an abrupt start or end clicks. */
function playNote(
  context: AudioContext,
  frequency: number,
  gain: number,
  start: number,
  end: number,
): number {
  const note = new OscillatorNode(context, { frequency, type: "triangle" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(gain, start + 0.008);
  volume.gain.setValueAtTime(gain, end - 0.015);
  volume.gain.linearRampToValueAtTime(0, end);
  note.connect(volume).connect(context.destination);
  note.start(start);
  note.stop(end);
  return end;
}
