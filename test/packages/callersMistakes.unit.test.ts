import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BrowserLookoutOptions,
  createLookout as createBrowserLookout,
} from "../../packages/client-js/src/browser.ts";
import {
  createLookout,
  LookoutError,
  type NodeLookoutOptions,
  type TrackedEvent,
} from "../../packages/client-js/src/node.ts";
import { listen } from "./closableServer.ts";

let requests = 0;
let server: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  server = await listen(
    createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    }),
  );
});

afterAll(() => server.close());

function clientOf(options: Partial<NodeLookoutOptions> = {}) {
  requests = 0;
  return createLookout({ baseUrl: `http://127.0.0.1:${server.port}`, websiteId: "w", ...options });
}

/** How many timers of the process there are that keep it alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

async function failureOf(call: Promise<unknown>): Promise<LookoutError> {
  const thrown = await call.catch((error: unknown) => error);
  if (thrown instanceof LookoutError) return thrown;
  throw new Error(`no LookoutError: ${String(thrown)}`);
}

describe("a key that no header takes is refused when the client is made, without its text", () => {
  test.each([
    ["lk_abc\ndef", "apiKey has a line break at place 7, which no key has"],
    ["lk_abc\n", "apiKey has a line break at place 7, which no key has. Remove it with trim()"],
    ["lk_abc\u200b", "apiKey has the character U+200B at place 7, which no key has"],
    ["Bearer lk_abc", "apiKey has a space at place 7, which no key has"],
    [null as never, "apiKey must be a string, not null"],
  ])("%j", (apiKey, message) => {
    const error = (() => {
      try {
        return clientOf({ apiKey });
      } catch (thrown) {
        return thrown as LookoutError;
      }
    })();
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      message,
      isTemporary: false,
      details: [{ field: "apiKey" }],
    });
    expect(JSON.stringify(error)).not.toContain("lk_");
  });
});

describe("an interceptor that throws is not taken for a failure of the service", () => {
  const failing = {
    "at once": () => () => {
      throw new TypeError("no token");
    },
    later: () => async () => {
      throw new TypeError("no token");
    },
    "as it is made": () => {
      throw new TypeError("no token");
    },
  };

  test.each(Object.entries(failing))("%s", async (_, interceptor) => {
    const lookout = clientOf({ interceptors: [interceptor] });
    const before = timers();
    const error = await failureOf(lookout.links.listLinks({}));
    expect(error).toMatchObject({ code: "INTERCEPTOR_FAILED", isTemporary: false, cause: new TypeError("no token") });
    expect(error.message).toBe("An interceptor of createLookout threw: no token");
    expect([requests, timers()]).toEqual([0, before]);
    await lookout.close();
  });

  test("events wait, and flush says why at once", async () => {
    const lookout = clientOf({ interceptors: [failing["at once"]], events: { onBlocked() {}, onDropped() {} } });
    lookout.events.track({ name: "signup" });
    expect((await failureOf(lookout.events.flush(60_000))).code).toBe("INTERCEPTOR_FAILED");
    expect(lookout.events.size).toBe(1);
    await lookout.close();
  });

  test("errors of the call pass through it, and its own LookoutError as it is", async () => {
    const own = new LookoutError("CONFLICT", "mine");
    const throwing = clientOf({ interceptors: [() => () => Promise.reject(own)] });
    expect(await failureOf(throwing.links.listLinks({}))).toBe(own);
    const passing = createLookout({
      baseUrl: "http://127.0.0.1:9",
      retry: { attempts: 1 },
      interceptors: [(next) => (request) => next(request)],
    });
    expect((await failureOf(passing.links.listLinks({}))).code).toBe("UNREACHABLE");
  });
});

test.each([
  [{ timeout: 5 }, "timeout", "timeout is no option of createLookout; did you mean timeoutMs?"],
  [{ retry: { attemps: 5 } }, "retry.attemps", "retry.attemps is no option of retry; did you mean attempts?"],
  [{ events: { onDroped() {} } }, "events.onDroped", "did you mean onDropped?"],
])("options of createLookout that there are not are refused: %j", (options, field, message) => {
  const wrong = {
    code: "VALIDATION_ERROR",
    message: expect.stringContaining(message),
    details: [expect.objectContaining({ field })],
  };
  expect(() => clientOf(options as object)).toThrow(expect.objectContaining(wrong));
});

test("the client of browsers says where an option of Node is", () => {
  const options = { baseUrl: "https://a.example", agent: {} } as BrowserLookoutOptions;
  expect(() => createBrowserLookout(options)).toThrow(/^agent is no option .*import @lookout\/client\/node/);
});

test("an event's misspelt member is told once, and the event is sent", async () => {
  const ignored: unknown[] = [];
  const lookout = clientOf({ events: { onIgnored: (...words) => ignored.push(words), onDropped() {} } });
  const event = { name: "signup", propertys: { plan: "pro" } } as TrackedEvent;
  expect([lookout.events.track(event), lookout.events.track(event), lookout.events.size]).toEqual([true, true, 2]);
  await expect.poll(() => ignored).toEqual([["propertys", "properties"]]);
  await lookout.close();
});

describe("options of a call that cannot be sent are named, and nothing is sent", () => {
  test.each<[object, string, string]>([
    [{ headers: { "idempotency-key": "订单" } }, "headers.idempotency-key", "has a character that no header takes"],
    [{ headers: { "x y": "1" } }, "headers.x y", "is no name of a header"],
    [{ headers: [["x", "secret\nof mine"]] }, "headers.x", "has a character that no header takes"],
    [{ timeout: 5 }, "timeout", "is no option of a call; did you mean timeoutMs?"],
  ])("%j", async (options, field, message) => {
    const lookout = clientOf();
    const error = await failureOf(lookout.links.createLink({ targetUrl: "https://a.example" }, options));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(error.message).toContain(`${field} ${message}`);
    expect(error.message).not.toContain("secret");
    const watched = lookout.watch({ preset: "today", parameters: ["top_pages"] }, options);
    expect((await failureOf(watched.next())).details).toMatchObject([{ field }]);
    expect(requests).toBe(0);
    await lookout.close();
  });

  test("those that are undefined are left out", async () => {
    const lookout = clientOf();
    const headers = { "x-own": undefined, "idempotency-key": "order-1" };
    await lookout.links.listLinks({}, { signal: undefined, timeoutMs: undefined, headers });
    expect(requests).toBe(1);
    await lookout.close();
  });
});
