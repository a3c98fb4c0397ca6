/**
 * A tree on the screen and its calls: reads waypoints as they come into view, moves nodes at once and tells the server
 * one move after the other. Outside React, so that it goes on while the page draws.
 */

import type { TreeChild, TreeRoot, WayStep } from "../../../api/archivesTypes";
import { type Followed, Store } from "../../../lib/store";
import { numberOf } from "../addresses";
import { type Change, changed, placeName, type Tree, treeOf } from "./model";
import { type Move, moveOf, type Step, stepsBack } from "./moves";

/** The calls that a tree needs, without its own address. */
export interface TreeCalls {
  root: () => Promise<TreeRoot>;
  waypoint: (parent: string | undefined, offset: number) => Promise<TreeChild[]>;
  ways: (ids: number[]) => Promise<Record<string, WayStep[]>>;
  accept: (parent: string, uris: string[], position: number) => Promise<unknown>;
}

export interface TreeState {
  tree: Tree;
  /** Moves that can be taken back, the last one last; and those that were. */
  done: readonly Move[];
  undone: readonly Move[];
  /** Why the last reading or move failed. */
  problem: unknown;
  isMoving: boolean;
  /** Whether a move had no answer, and the tree could not be read after it either. */
  isUncertain: boolean;
}

export class TreeWork implements Followed<TreeState> {
  readonly #calls: TreeCalls;
  readonly #store: Store<TreeState>;
  readonly #reading = new Map<string, Promise<void>>();
  /** Waypoints that could not be read, by the names of their places. */
  readonly #failed = new Map<string, [parent: string, waypoint: number]>();
  /** Grows with each move: what was asked before one may come with the old places. */
  #turn = 0;
  #moves: Promise<unknown> = Promise.resolve();

  constructor(calls: TreeCalls, root: TreeRoot) {
    this.#calls = calls;
    const idle = { done: [], undone: [], problem: undefined, isMoving: false, isUncertain: false };
    this.#store = new Store<TreeState>({ tree: treeOf(root), ...idle });
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  readonly snapshot = (): TreeState => this.#store.snapshot();

  readonly change = (...changes: Change[]): void =>
    this.#set({ tree: changes.reduce(changed, this.snapshot().tree) });

  /** Reads a waypoint unless that is under way, or failed and was not asked for again. */
  read(parent: string, waypoint: number): Promise<void> {
    const name = placeName(parent, waypoint);
    const reading = this.#reading.get(name);
    if (reading) return reading;
    if (this.#failed.has(name)) return Promise.resolve();
    const asked = this.#readNow(parent, waypoint, name).finally(() => this.#reading.delete(name));
    this.#reading.set(name, asked);
    return asked;
  }

  async #readNow(parent: string, waypoint: number, name: string): Promise<void> {
    const { root } = this.snapshot().tree;
    for (;;) {
      const turn = this.#turn;
      try {
        const above = parent === root ? undefined : parent;
        const children = await this.#calls.waypoint(above, waypoint);
        if (turn !== this.#turn) continue;
        this.change({ kind: "read", parent, waypoint, children });
      } catch (problem) {
        this.#failed.set(name, [parent, waypoint]);
        this.#set({ problem });
      }
      return;
    }
  }

  /** Reads what could not be read: the whole tree, if it is not known what the server has. */
  async tryAgain(): Promise<void> {
    const places = [...this.#failed.values()];
    this.#failed.clear();
    this.#set({ problem: undefined });
    if (this.snapshot().isUncertain) {
      await this.reload().catch((problem) => this.#set({ problem }));
    } else {
      await Promise.all(places.map(([parent, waypoint]) => this.read(parent, waypoint)));
    }
  }

  /** Opens the way to a node and puts the focus on it; false if the tree does not have it. */
  async reveal(uri: string): Promise<boolean> {
    const { tree } = this.snapshot();
    if (uri === tree.root) this.change({ kind: "focus", row: uri });
    if (uri === tree.root) return true;
    const number = numberOf(uri);
    const way = (await this.#calls.ways([number]))[String(number)];
    if (!way) return false;
    for (const { node, offset } of way) {
      const parent = node ?? tree.root;
      await this.read(parent, offset);
      this.change({ kind: "open", uri: parent });
    }
    if (!this.snapshot().tree.nodes.has(uri)) return false;
    this.change({ kind: "focus", row: uri });
    return true;
  }

  /** Reads the tree anew, with the way to the focus open. */
  async reload(): Promise<void> {
    const { focus } = this.snapshot().tree;
    const root = await this.#calls.root();
    this.#turn += 1;
    this.#failed.clear();
    this.#set({ tree: treeOf(root), isUncertain: false });
    if (!focus.includes("#")) await this.reveal(focus);
  }

  move(step: Step, title: string): Promise<boolean> {
    const { tree, done } = this.snapshot();
    const move = moveOf(tree, step, title);
    return this.#make([step], { done: [...done, move], undone: [] });
  }

  undo(): Promise<boolean> {
    const { tree, done, undone } = this.snapshot();
    const move = done.at(-1);
    if (!move) return Promise.resolve(false);
    return this.#make(stepsBack(tree, move), {
      done: done.slice(0, -1),
      undone: [...undone, move],
    });
  }

  redo(): Promise<boolean> {
    const { done, undone } = this.snapshot();
    const move = undone.at(-1);
    if (!move) return Promise.resolve(false);
    return this.#make([move.to], { done: [...done, move], undone: undone.slice(0, -1) });
  }

  /** Shows the steps at once, and has the server make them after all earlier ones. */
  #make(steps: Step[], kept: Pick<TreeState, "done" | "undone">): Promise<boolean> {
    if (this.snapshot().isUncertain) return Promise.resolve(false);
    this.#turn += 1;
    this.#set({ ...kept, isMoving: true, problem: undefined });
    for (const step of steps) {
      this.change({ kind: "place", ...step }, { kind: "open", uri: step.parent });
    }
    const [first] = steps.flatMap(({ uris }) => uris);
    if (first) this.change({ kind: "focus", row: first });
    const made = this.#moves.then(() => this.#tell(steps));
    this.#moves = made;
    return made;
  }

  async #tell(steps: Step[]): Promise<boolean> {
    try {
      for (const { parent, uris, position } of steps) {
        await this.#calls.accept(parent, uris, position);
      }
      this.#turn += 1;
      this.#set({ isMoving: false });
      return true;
    } catch (problem) {
      await this.#afterFailure(problem);
      return false;
    }
  }

  /** What the server has now is not known, so the tree is read anew and earlier moves are not taken back any more. */
  async #afterFailure(problem: unknown): Promise<void> {
    const isRead = await this.reload().then(
      () => true,
      () => false,
    );
    this.#set({ done: [], undone: [], isMoving: false, problem, isUncertain: !isRead });
  }

  #set(changes: Partial<TreeState>): void {
    this.#store.set({ ...this.#store.snapshot(), ...changes });
  }
}
