import { expect, test } from "vitest";
import { fetchedMessages } from "../../../src/scale/kafka/fetchedMessages.ts";
import { messagesOf } from "../../../src/scale/kafka/messages.ts";

const value = (key: number) => messagesOf([{ receivedMs: 1, websiteId: "a", key, payload: `events ${key}` }])[0]?.value;

/** A batch of messages from an offset on, in the client's form. */
function batch(firstOffset: number, count: number) {
  const records = Array.from({ length: count }, (_, index) => ({
    offsetDelta: index,
    value: value(firstOffset + index) ?? null,
  }));
  return { firstOffset: BigInt(firstOffset), lastOffsetDelta: count - 1, records };
}

const read = (from: number, ...batches: ReturnType<typeof batch>[]) =>
  fetchedMessages({ partitionIndex: 3, records: batches }, BigInt(from));

test("messages are read from a position inside a batch up to the end of the last one", () => {
  const { messages, next } = read(4, batch(3, 3), batch(6, 2));
  expect(messages.map(({ partition, offset }) => [partition, Number(offset)])).toEqual(
    [4, 5, 6, 7].map((at) => [3, at]),
  );
  expect(messages.map(({ records }) => records[0]?.key)).toEqual([4, 5, 6, 7]);
  expect(next).toBe(8n);
  expect(read(4)).toEqual({ messages: [], next: 4n });
});

const whole = batch(4, 3);
const [first, ...others] = whole.records;

test.each([
  ["a gap before a batch", { ...whole, firstOffset: 5n }],
  ["a batch that ends too late", { ...whole, lastOffsetDelta: 200 }],
  ["fewer messages than the batch has", { ...whole, records: others }],
  ["another offset", { ...whole, records: [{ offsetDelta: 4, value: first?.value ?? null }, ...others] }],
  ["no content", { ...whole, records: [{ offsetDelta: 0, value: null }, ...others] }],
])("a batch with %s is damaged, and leaves nothing out silently", (_, given) => {
  expect(() => read(4, given)).toThrow("partition 3 of the log is damaged after offset 4");
});

test("a message whose bytes were changed is not skipped", () => {
  const changed = Buffer.from(first?.value ?? "");
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
  expect(() => read(4, { ...whole, records: [{ offsetDelta: 0, value: changed }, ...others] })).toThrow("cannot read");
});
