import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPulse } from "../../web/app/src/api/keepPulse.ts";
import { isSaidAbove } from "../../web/app/src/pages/dashboard/isSaidAbove.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // What windows have.
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an answer that is missing for some seconds is noticed while it may still come, and its arrival too", async () => {
  const seen: string[] = [];
  const stop = new AbortController();
  let answer = (_: string): void => undefined;
  const pulse = keepPulse(
    {
      ask: () => new Promise<string>((resolve) => (answer = resolve)),
      everyMs: 15_000,
      patienceMs: 5_000,
      onAnswer: (text) => seen.push(text),
      onSilence: () => seen.push("silence"),
    },
    stop.signal,
  );
  await vi.advanceTimersByTimeAsync(15_000);
  answer("first");
  await vi.advanceTimersByTimeAsync(15_000 + 4_999);
  expect(seen).toEqual(["first"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["first", "silence"]);
  answer("late");
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["first", "silence", "late"]);
  stop.abort();
  await pulse;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toHaveLength(3);
});

test("a question that fails is silence too, and the next one is asked", async () => {
  const seen: string[] = [];
  const stop = new AbortController();
  let count = 0;
  const ask = async () => {
    if (++count === 1) throw new Error("no connection");
    return String(count);
  };
  const onAnswer = (text: string) => seen.push(text);
  void keepPulse(
    { ask, everyMs: 1_000, patienceMs: 500, onAnswer, onSilence: () => seen.push("silence") },
    stop.signal,
  );
  await vi.advanceTimersByTimeAsync(2_500);
  stop.abort();
  expect(seen).toEqual(["silence", "2"]);
});

test("parts of the overview do not repeat the notice that the service is away, and say their own errors", () => {
  expect(isSaidAbove({ code: "UNREACHABLE" }, { code: "UNREACHABLE" })).toBe(true);
  expect(isSaidAbove({ code: "TIMEOUT" }, { code: "UNREACHABLE" })).toBe(true);
  expect(isSaidAbove({ code: "QUERY_ERROR" }, { code: "UNREACHABLE" })).toBe(false);
  expect(isSaidAbove({ code: "UNREACHABLE" }, { code: "QUERY_ERROR" })).toBe(false);
  expect(isSaidAbove({ code: "UNREACHABLE" }, undefined)).toBe(false);
});
