import { describe, expect, test } from "vitest";
import type { TreeChild } from "../../../api/archivesTypes";
import { ConnectionLostError, RefusedError } from "../../../api/errors";
import { childNamed, inWords, ROOT } from "./samples";
import { type TreeCalls, TreeWork } from "./treeWork";

const ROOT_READ = {
  uri: ROOT,
  title: "Top",
  child_count: 500,
  waypoint_size: 200,
  precomputed_waypoints: {},
};

const uri = (number: number) => `/repositories/2/archival_objects/${number}`;

const page = (offset: number): TreeChild[] =>
  Array.from({ length: offset < 2 ? 200 : 100 }, (_, at) => childNamed(uri(offset * 200 + at)));

function work(calls: Partial<TreeCalls> = {}) {
  const asked: string[] = [];
  const tree = new TreeWork(
    {
      root: async () => ROOT_READ,
      waypoint: async (parent, offset) => {
        asked.push(`${parent ?? "top"} ${offset}`);
        return page(offset);
      },
      ways: async ([id]) => ({
        [String(id)]: [{ node: null, offset: Math.floor((id ?? 0) / 200) }],
      }),
      accept: async (parent, uris, position) => {
        asked.push(`${uris.length} to ${parent} ${position}`);
      },
      ...calls,
    },
    ROOT_READ,
  );
  return { tree, asked, state: () => tree.snapshot() };
}

describe("a tree on the screen", () => {
  test("reads a waypoint once, however often it is asked for", async () => {
    const { tree, asked } = work();
    await Promise.all([tree.read(ROOT, 1), tree.read(ROOT, 1), tree.read(ROOT, 2)]);
    expect(asked).toEqual(["top 1", "top 2"]);
  });

  test("does not ask again for what failed until it is told to", async () => {
    let fails = true;
    const { tree, state } = work({
      waypoint: async (_, offset) => {
        if (fails) throw new RefusedError(500, []);
        return page(offset);
      },
    });
    await tree.read(ROOT, 0);
    expect(state().problem).toBeInstanceOf(RefusedError);
    fails = false;
    await tree.read(ROOT, 0);
    expect(state().tree.nodes.size).toBe(0);
    tree.tryAgain();
    await tree.read(ROOT, 0);
    expect([state().problem, state().tree.nodes.size]).toEqual([undefined, 200]);
  });

  test("reveals a node by the way to it", async () => {
    const { tree, asked, state } = work();
    expect(await tree.reveal(uri(450))).toBe(true);
    expect([asked, state().tree.focus]).toEqual([["top 2"], uri(450)]);
  });

  test("moves at once, tells the server, and takes back", async () => {
    const { tree, asked, state } = work();
    await tree.read(ROOT, 0);
    const before = inWords(state().tree);
    const moving = tree.move({ parent: ROOT, uris: [uri(7), uri(8)], position: 0 }, "2 components");
    expect(inWords(state().tree).startsWith(`${uri(7)} ${uri(8)} ${uri(0)}`)).toBe(true);
    expect(await moving).toBe(true);
    expect(await tree.undo()).toBe(true);
    expect(inWords(state().tree)).toBe(before);
    expect(await tree.redo()).toBe(true);
    expect(asked).toEqual(["top 0", "2 to top 0", "1 to top 8", "1 to top 8", "2 to top 0"]);
  });

  test("reads a waypoint again that was asked for before a move", async () => {
    let answer: (children: TreeChild[]) => void = () => undefined;
    const answers: TreeChild[][] = [];
    const { tree, state } = work({
      waypoint: async () => {
        const later = answers.shift();
        return later ?? new Promise<TreeChild[]>((resolve) => (answer = resolve));
      },
    });
    answers.push(page(0));
    await tree.read(ROOT, 0);
    const reading = tree.read(ROOT, 1);
    await tree.move({ parent: ROOT, uris: [uri(0)], position: 300 }, "1 component");
    answers.push(page(1));
    answer(page(0));
    await reading;
    expect(state().tree.children.get(ROOT)?.[200]).toBe(uri(200));
  });

  test("after a move without an answer is read anew when it can be, and only then moved again", async () => {
    let isAway = true;
    const whenThere = async <T>(answer: T): Promise<T> => {
      if (isAway) throw new ConnectionLostError();
      return answer;
    };
    const { tree, state } = work({
      root: () => whenThere(ROOT_READ),
      accept: () => whenThere(undefined),
      waypoint: (_, offset) => whenThere(page(offset)),
    });
    isAway = false;
    await tree.read(ROOT, 0);
    isAway = true;
    const step = { uris: [uri(1)], parent: uri(5), position: 0 };
    expect(await tree.move(step, "One")).toBe(false);
    expect(state()).toMatchObject({ isUncertain: true, done: [] });
    expect(await tree.move(step, "One")).toBe(false);
    await tree.tryAgain();
    expect(state()).toMatchObject({ isUncertain: true });
    expect(state().problem).toBeInstanceOf(ConnectionLostError);
    isAway = false;
    await tree.tryAgain();
    expect(state()).toMatchObject({ isUncertain: false, problem: undefined });
    await tree.read(ROOT, 0);
    expect(state().tree.nodes.get(uri(1))?.parent).toBe(ROOT);
    expect(await tree.move(step, "One")).toBe(true);
  });

  test("reads what could not be read as soon as it is told to try again", async () => {
    let isAway = true;
    const { tree, state } = work({
      waypoint: async (_, offset) => {
        if (isAway) throw new ConnectionLostError();
        return page(offset);
      },
    });
    await tree.read(ROOT, 1);
    isAway = false;
    await tree.tryAgain();
    expect(state().tree.nodes.has(uri(200))).toBe(true);
  });

  test("after a refused move shows what the server has, and says why", async () => {
    const { tree, state } = work({
      accept: async () => {
        throw new RefusedError(409, [{ message: "Can't make a parent into its own child" }]);
      },
    });
    await tree.read(ROOT, 0);
    expect(await tree.move({ parent: ROOT, uris: [uri(7)], position: 0 }, "")).toBe(false);
    expect(state().problem).toBeInstanceOf(RefusedError);
    expect(state().done).toEqual([]);
    expect(state().tree.children.get(ROOT)?.[0]).not.toBe(uri(7));
  });
});
