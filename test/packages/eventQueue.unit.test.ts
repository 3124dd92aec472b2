import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EventQueue, type EventQueueOptions, type SendEvents } from "../../packages/client-js/src/eventQueue.ts";
import { LookoutError, type LookoutErrorCode } from "../../packages/client-js/src/lookoutError.ts";
import { refusal } from "../../packages/client-js/src/readRequest.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service that does what the test says for each call: an error, or a result for each event. */
function service(...answers: readonly (LookoutErrorCode | "hang")[]) {
  const left = [...answers];
  const calls: { name: string; id: string | undefined }[][] = [];
  const send: SendEvents = (events, signal) => {
    calls.push(events.map(({ name, eventId }) => ({ name: name ?? "", id: eventId })));
    const answer = left.shift();
    if (answer === "hang")
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new LookoutError("CANCELLED", "cancelled")));
      });
    if (answer !== undefined) return Promise.reject(new LookoutError(answer, answer));
    return Promise.resolve(
      events.map(({ name }) => ({ status: name === "bad" ? "error" : "success", message: "name is bad" }) as never),
    );
  };
  return { calls, send };
}

function queueOf(send: SendEvents, options: Partial<EventQueueOptions> = {}) {
  const dropped: { names: string[]; code: string; message: string }[] = [];
  const blocked: string[] = [];
  const queue = new EventQueue(send, {
    maxEvents: 1_000,
    flushIntervalMs: 1_000,
    closeTimeoutMs: 5_000,
    onDropped: (events, { code, message }) => dropped.push({ names: events.map(({ name }) => name), code, message }),
    onBlocked: ({ code }) => blocked.push(code),
    onIgnored: () => undefined,
    ...options,
  });
  return { queue, dropped, blocked };
}

const names = (calls: readonly (readonly { name: string }[])[]) => calls.map((call) => call.map(({ name }) => name));

test("events are sent together after the interval, with an id and a time", async () => {
  const { calls, send } = service();
  const { queue } = queueOf(send);
  queue.track({ name: "a" });
  queue.track({ name: "b", eventId: "own" });
  await vi.advanceTimersByTimeAsync(999);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(names(calls)).toEqual([["a", "b"]]);
  expect(calls[0]?.map(({ id }) => id)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), "own"]);
  expect(queue.size).toBe(0);
});

test("a hundred events are sent at once, at most 100 and about 512 KiB in a call", async () => {
  const { calls, send } = service();
  const { queue } = queueOf(send);
  for (let index = 0; index < 250; index++) queue.track({ name: String(index) });
  await vi.advanceTimersByTimeAsync(0);
  expect(calls.map((call) => call.length)).toEqual([100, 100, 50]);
  for (let index = 0; index < 5; index++) queue.track({ name: "large", properties: { text: "x".repeat(200_000) } });
  await queue.flush();
  expect(calls.slice(3).map((call) => call.length)).toEqual([2, 2, 1]);
});

describe("a temporary failure", () => {
  test.each(["UNREACHABLE", "TIMEOUT", "BAD_ANSWER", "SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"] as const)(
    "%s: the same events with the same ids are sent again, in order, before later ones",
    async (code) => {
      const { calls, send } = service(code, code);
      const { queue, dropped } = queueOf(send);
      queue.track({ name: "a" });
      await vi.advanceTimersByTimeAsync(1_000);
      queue.track({ name: "b" });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(names(calls)).toEqual([["a"], ["a", "b"], ["a", "b"]]);
      expect(new Set(calls.map(([first]) => first?.id)).size).toBe(1);
      expect(dropped).toEqual([]);
      expect(queue.size).toBe(0);
    },
  );

  test("nothing is lost within the bound; what comes beyond it is reported", async () => {
    const { calls, send } = service(...Array(20).fill("UNREACHABLE"));
    const { queue, dropped } = queueOf(send, { maxEvents: 3 });
    await vi.advanceTimersByTimeAsync(0);
    for (const name of ["a", "b", "c"]) expect(queue.track({ name })).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(queue.track({ name: "d" })).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(dropped).toEqual([
      { names: ["d"], code: "QUEUE_FULL", message: "3 events wait already. The last failure: UNREACHABLE" },
    ]);
    await vi.advanceTimersByTimeAsync(20 * 30_000);
    expect(names(calls).at(-1)).toEqual(["a", "b", "c"]);
    expect(queue.size).toBe(0);
  });

  test("events that the service would no longer recognize as the same are dropped", async () => {
    const { send } = service(...Array(10_000).fill("UNREACHABLE"));
    const { queue, dropped } = queueOf(send);
    queue.track({ name: "old" });
    await vi.advanceTimersByTimeAsync(22 * 3_600_000);
    queue.track({ name: "young" });
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(dropped).toEqual([{ names: ["old"], code: "UNREACHABLE", message: "UNREACHABLE" }]);
    expect(queue.size).toBe(1);
  });
});

describe("a wrong key or website", () => {
  test.each(["INVALID_API_KEY", "AUTH_REQUIRED", "ACCESS_DENIED", "NOT_FOUND", "MISSING_WEBSITE_ID"] as const)(
    "%s is reported once, and the events are sent when it is put right",
    async (code) => {
      const { calls, send } = service(code, code, code);
      const { queue, dropped, blocked } = queueOf(send);
      queue.track({ name: "a" });
      await vi.advanceTimersByTimeAsync(1_000);
      queue.track({ name: "b" });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(names(calls)).toEqual([["a"], ["a", "b"], ["a", "b"], ["a", "b"]]);
      expect(blocked).toEqual([code]);
      expect(dropped).toEqual([]);
      expect(queue.size).toBe(0);
    },
  );

  test("so is what a proxy refuses", async () => {
    const { calls, send } = service();
    let left = 2;
    const refusing: SendEvents = (events, signal) =>
      left-- > 0 ? Promise.reject(new LookoutError("BAD_ANSWER", "no", { status: 403 })) : send(events, signal);
    const { queue, dropped, blocked } = queueOf(refusing);
    queue.track({ name: "a" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([names(calls), dropped, blocked]).toEqual([[["a"]], [], ["BAD_ANSWER"]]);
  });

  test.each<[string, LookoutError]>([
    ["a certificate that is not trusted", new LookoutError("UNREACHABLE", "untrusted", { isLasting: true })],
    ["a proxy that wants a password", new LookoutError("BAD_ANSWER", "no", { status: 407 })],
    ["another server", new LookoutError("BAD_ANSWER", "The answer lacks link", { isLasting: true })],
    ["an agent of another protocol", refusal([{ field: "agent", message: "makes connections of another protocol" }])],
    ["a website id that is none", refusal([{ field: "websiteId", message: "is too long" }])],
    ["an interceptor that throws", new LookoutError("INTERCEPTOR_FAILED", "no")],
    ["a service without the call", new LookoutError("NOT_IMPLEMENTED", "no")],
    ["a code of a later version", new LookoutError("PAYMENT_REQUIRED" as LookoutErrorCode, "no")],
  ])("%s: the events wait, and flush rejects at once", async (_, error) => {
    const { calls, send } = service();
    let isWrong = true;
    const { queue, dropped, blocked } = queueOf((events, signal) =>
      isWrong ? Promise.reject(error) : send(events, signal),
    );
    queue.track({ name: "a" });
    await expect(queue.flush()).rejects.toBe(error);
    expect([queue.size, dropped, blocked]).toEqual([1, [], [error.code]]);
    isWrong = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([names(calls), queue.size, dropped]).toEqual([[["a"]], 0, []]);
  });

  test.each<[string, readonly object[]]>([
    ["no result", []],
    ["fewer results than events", [{ status: "success" }]],
    ["results without a status", [{}, {}]],
  ])("an answer with %s is none of Lookout: the events wait", async (_, results) => {
    const { calls, send } = service();
    let isWrong = true;
    const { queue, dropped } = queueOf((events, signal) =>
      isWrong ? Promise.resolve(results as never) : send(events, signal),
    );
    for (const name of ["a", "b"]) queue.track({ name });
    await expect(queue.flush()).rejects.toMatchObject({ code: "BAD_ANSWER", isTemporary: false });
    expect([queue.size, dropped]).toEqual([2, []]);
    isWrong = false;
    await queue.flush();
    expect([names(calls), queue.size]).toEqual([[["a", "b"]], 0]);
  });

  test("an event that a proxy takes not even alone is dropped, and the others are sent", async () => {
    const sent: (string | undefined)[] = [];
    const { queue, dropped } = queueOf((events) => {
      if (events.some(({ name }) => name === "large"))
        return Promise.reject(new LookoutError("BAD_ANSWER", "too large", { status: 413 }));
      sent.push(...events.map(({ name }) => name));
      return Promise.resolve(events.map(() => ({ status: "success" }) as never));
    });
    for (const name of ["a", "large", "b"]) queue.track({ name });
    await queue.flush();
    expect([sent, queue.size]).toEqual([["a", "b"], 0]);
    expect(dropped).toEqual([{ names: ["large"], code: "BAD_ANSWER", message: "too large" }]);
  });

  test("a proxy that takes less gets smaller batches", async () => {
    const sizes: number[] = [];
    const { queue, dropped } = queueOf((events) => {
      sizes.push(events.length);
      if (events.length > 30) return Promise.reject(new LookoutError("BAD_ANSWER", "no", { status: 413 }));
      return Promise.resolve(events.map(() => ({ status: "success" }) as never));
    });
    for (let index = 0; index < 100; index++) queue.track({ name: "a" });
    await queue.flush();
    expect([sizes, dropped]).toEqual([[100, 50, 25, 25, 25, 25], []]);
  });

  test("many events do not make it try more often", async () => {
    const { calls, send } = service(...Array(200).fill("INVALID_API_KEY"));
    const { queue } = queueOf(send);
    for (let index = 0; index < 500; index++) {
      queue.track({ name: "a" });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(calls.length).toBeLessThan(8);
    expect(queue.size).toBe(500);
  });

  test("flush rejects with the error at once and loses nothing, close reports what waits", async () => {
    const { calls, send } = service(...Array(3).fill("INVALID_API_KEY"));
    const { queue, dropped } = queueOf(send);
    queue.track({ name: "a" });
    await expect(queue.flush()).rejects.toMatchObject({ name: "LookoutError", code: "INVALID_API_KEY" });
    expect(queue.size).toBe(1);
    await expect(queue.flush()).rejects.toMatchObject({ code: "INVALID_API_KEY" });
    await queue.close();
    expect(dropped).toEqual([{ names: ["a"], code: "INVALID_API_KEY", message: "INVALID_API_KEY" }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(3);
  });
});

test("a failure that stays drops the events of the call and goes on with the next", async () => {
  const { calls, send } = service("VALIDATION_ERROR");
  const { queue, dropped } = queueOf(send);
  for (let index = 0; index < 101; index++) queue.track({ name: `${index}` });
  await queue.flush();
  expect(calls.map((call) => call.length)).toEqual([100, 1]);
  expect(dropped).toMatchObject([{ code: "VALIDATION_ERROR" }]);
  expect(dropped[0]?.names).toHaveLength(100);
});

test("an event that the service refuses is reported with its reason", async () => {
  const { send } = service();
  const { queue, dropped } = queueOf(send);
  for (const name of ["good", "bad", "good"]) queue.track({ name });
  await queue.flush();
  expect(dropped).toEqual([{ names: ["bad"], code: "VALIDATION_ERROR", message: "name is bad" }]);
});

test("flush waits for an answer, but not longer than it may", async () => {
  const { send } = service("hang");
  const { queue } = queueOf(send);
  queue.track({ name: "a" });
  const flushed = expect(queue.flush(2_000)).rejects.toMatchObject({ code: "TIMEOUT" });
  await vi.advanceTimersByTimeAsync(2_000);
  await flushed;
  expect(queue.size).toBe(1);
});

test("flush does not wait for the next try", async () => {
  const { calls, send } = service("UNREACHABLE");
  const { queue } = queueOf(send);
  queue.track({ name: "a" });
  await vi.advanceTimersByTimeAsync(1_000);
  await queue.flush();
  expect(calls).toHaveLength(2);
});

test("close sends what waits, reports what it cannot send in time, and takes no more", async () => {
  const { send } = service("hang");
  const { queue, dropped } = queueOf(send);
  for (const name of ["a", "b"]) queue.track({ name });
  const closed = queue.close();
  await vi.advanceTimersByTimeAsync(5_000);
  await closed;
  expect(dropped).toMatchObject([{ names: ["a", "b"], code: "TIMEOUT" }]);
  expect(queue.track({ name: "late" })).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(dropped[1]).toMatchObject({ names: ["late"], code: "CLOSED" });
  expect(queue.size).toBe(0);
});

describe("an event that cannot be sent", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;

  test.each<[string, unknown, string]>([
    ["NaN", { discount: 0 / 0 }, "properties.discount"],
    ["Infinity", { discount: 1 / 0 }, "properties.discount"],
    ["NaN deep within", { lines: [{ price: 1 }, { price: Number.NaN }] }, "properties.lines[1].price"],
    ["a bigint", { cents: 10n }, "properties.cents"],
    ["a function", { on: () => 1 }, "properties.on"],
    ["an invalid Date", { at: new Date(Number.NaN) }, "properties.at"],
  ])(
    "%s in its properties: only that event is dropped, with the field, and the others are sent",
    async (_, properties, field) => {
      const { calls, send } = service();
      const errors: LookoutError[] = [];
      const { queue } = queueOf(send, { onDropped: (_events, error) => errors.push(error) });
      expect(queue.track({ name: "order", properties: properties as never })).toBe(false);
      for (let index = 0; index < 150; index++) queue.track({ name: "good" });
      await queue.flush();
      expect([queue.size, calls.flat().length]).toEqual([0, 150]);
      expect(errors).toMatchObject([{ code: "VALIDATION_ERROR", isTemporary: false, details: [{ field }] }]);
      expect(errors[0]?.message).toContain(`The event cannot be sent: ${field} `);
    },
  );

  test("one whose properties contain themselves is dropped", async () => {
    const { send } = service();
    const { queue, dropped } = queueOf(send);
    expect(queue.track({ name: "order", properties: cyclic as never })).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(dropped).toMatchObject([{ names: ["order"], code: "VALIDATION_ERROR" }]);
  });

  test("what is undefined is left out, as JSON does, and Dates are texts", async () => {
    const sent: unknown[] = [];
    const { queue } = queueOf((events) => {
      sent.push(...events.map(({ properties }) => properties));
      return Promise.resolve(events.map(() => ({ status: "success" }) as never));
    });
    const properties = { plan: undefined, at: new Date(0), cart: { coupon: undefined, lines: [undefined, 1] } };
    expect(queue.track({ name: "order", properties: properties as never })).toBe(true);
    await queue.flush();
    expect(sent).toEqual([{ at: "1970-01-01T00:00:00.000Z", cart: { lines: [null, 1] } }]);
  });

  test("of a batch that is refused because of some of its events, only these are dropped", async () => {
    const details = [{ field: "events[1].payload.value.properties.x", message: "is wrong" }];
    const calls: (string | undefined)[][] = [];
    const { queue, dropped } = queueOf((events) => {
      calls.push(events.map(({ name }) => name));
      if (calls.length === 1) return Promise.reject(new LookoutError("VALIDATION_ERROR", "wrong", { details }));
      return Promise.resolve(events.map(() => ({ status: "success" }) as never));
    });
    for (const name of ["a", "b", "c"]) queue.track({ name });
    await queue.flush();
    expect(calls).toEqual([
      ["a", "b", "c"],
      ["a", "c"],
    ]);
    expect(dropped).toMatchObject([{ names: ["b"], code: "VALIDATION_ERROR" }]);
  });
});

test.each([
  ["timestamp is older than events may be", { field: "timestamp", message: "is older than events may be" }],
  ["user_agent is too long", { field: "userAgent", message: "is too long" }],
  ["The event is larger than events may be", { field: "", message: "The event is larger than events may be" }],
])("the details of a refused event name its field: %s", async (message, detail) => {
  const details: unknown[] = [];
  const { queue } = queueOf(async () => [{ status: "error", message } as never], {
    onDropped: (_, error) => details.push(...error.details),
  });
  queue.track({ name: "signup" });
  await queue.flush();
  expect(details).toEqual([detail]);
});
