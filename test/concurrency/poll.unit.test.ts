import { expect, test } from "vitest";
import { flushEvery, poll, repeat } from "../../src/concurrency/poll.ts";

const signal = new AbortController().signal;

test("poll resolves with the first result that is neither undefined nor false", async () => {
  const results = [undefined, false, 0] as const;
  let calls = 0;
  expect(await poll(async () => results[calls++], signal, 1)).toBe(0);
  expect(calls).toBe(3);
});

test("poll rejects with what the check throws, and when the signal aborts during a pause", async () => {
  await expect(poll(() => Promise.reject(new Error("broken")), signal, 1)).rejects.toThrow("broken");
  const stop = new AbortController();
  const waiting = poll(async () => false, stop.signal, 60_000);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test("repeat goes on after a failure, and ends when the signal aborts", async () => {
  const stop = new AbortController();
  const failures: unknown[] = [];
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls === 1) throw new Error("broken");
    if (calls === 3) stop.abort();
  };
  await repeat(work, 1, stop.signal, (error) => failures.push(error));
  expect(calls).toBe(3);
  expect(failures).toMatchObject([{ message: "broken" }]);
});

test("flushEvery works once more when the signal aborts, and goes on after a failure", async () => {
  const stop = new AbortController();
  const failures: unknown[] = [];
  let calls = 0;
  const flushing = flushEvery(
    async () => {
      calls += 1;
      throw new Error("broken");
    },
    60_000,
    stop.signal,
    (error) => failures.push(error),
  );
  expect(calls).toBe(0);
  stop.abort();
  await flushing;
  expect(calls).toBe(1);
  expect(failures).toMatchObject([{ message: "broken" }]);
});
