import { expect, test } from "vitest";
import type { Description } from "../../../api/archivesTypes";
import { RecordReader } from "./recordReader";

const recordAt = (uri: string) => ({ uri }) as Description;

/** A server that answers when told to. */
function server() {
  const calls: { uris: string[]; answer: (records: Description[]) => void; fail: () => void }[] =
    [];
  const read = (uris: string[]) =>
    new Promise<Description[]>((answer, reject) => {
      calls.push({ uris, answer, fail: () => reject(new Error("lost")) });
    });
  return { calls, reader: new RecordReader(read) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("reads what is in view when the call before is answered, not what was scrolled past", async () => {
  const { calls, reader } = server();
  reader.want(["a"]);
  reader.want(["b"]);
  reader.want(["c", "a"]);
  expect(calls.map(({ uris }) => uris)).toEqual([["a"]]);
  calls[0]?.answer([recordAt("a")]);
  await settled();
  expect(calls[1]?.uris).toEqual(["c"]);
  calls[1]?.answer([recordAt("c")]);
  await settled();
  expect([...reader.snapshot().records.keys()]).toEqual(["a", "c"]);
  expect(calls).toHaveLength(2);
});

test("does not ask again for a record that was deleted", async () => {
  const { calls, reader } = server();
  reader.want(["gone"]);
  calls[0]?.answer([]);
  await settled();
  reader.want(["gone"]);
  expect(calls).toHaveLength(1);
});

test("waits after a failure until it is told to try again", async () => {
  const { calls, reader } = server();
  reader.want(["a"]);
  calls[0]?.fail();
  await settled();
  expect(reader.snapshot().problem).toBeInstanceOf(Error);
  reader.want(["a"]);
  expect(calls).toHaveLength(1);
  reader.tryAgain();
  expect(calls).toHaveLength(2);
  expect(reader.snapshot().problem).toBeUndefined();
});
