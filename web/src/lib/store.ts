/** A value outside React that components subscribe to. */
import { useSyncExternalStore } from "react";

export interface Followed<State> {
  subscribe(listener: () => void): () => void;
  snapshot(): State;
}

export class Store<State> implements Followed<State> {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(initial: State) {
    this.#state = initial;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): State => this.#state;

  set(state: State): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The current state of a store; the component renders again on a change. */
export function useStore<State>(store: Followed<State>): State {
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
