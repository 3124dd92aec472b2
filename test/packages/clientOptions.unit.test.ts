import { describe, expect, expectTypeOf, test } from "vitest";
import { readBaseUrl } from "../../packages/client-js/src/baseUrl.ts";
import { CreateLinkRequestSchema, type Link } from "../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { SetStatusPageLogoRequestSchema } from "../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { createLookout, each, type Lookout, LookoutError } from "../../packages/client-js/src/node.ts";
import { readInit } from "../../packages/client-js/src/readRequest.ts";

describe("a wrong baseUrl is refused when the client is made", () => {
  test.each([
    ["", /^baseUrl must be an address .* it is empty/, undefined],
    ["localhost:1", /Did you mean http:\/\/localhost:1\?/, "http://localhost:1"],
    ["lookout.example.com", /Did you mean https:\/\/lookout\.example\.com\?/, "https://lookout.example.com"],
    ["ftp://lookout.example.com", /not "ftp:\/\/lookout\.example\.com"$/, undefined],
    ["https://me:secret@lookout.example.com", /must not hold a name or a password/, undefined],
    ["https://lookout.example.com/?a=1", /must end with the path, not \?a=1/, undefined],
  ])("%s", (baseUrl, message, suggestion) => {
    const thrown = (() => {
      try {
        return createLookout({ baseUrl });
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(LookoutError);
    expect(thrown).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(message) });
    const [detail] = (thrown as LookoutError).details;
    expect([detail?.field, detail?.suggestion]).toEqual(["baseUrl", suggestion]);
  });

  test("a path stays, slashes at its end go", () => {
    expect(readBaseUrl("https://example.com/lookout//")).toBe("https://example.com/lookout");
  });
});

test("times of requests are texts on the wire, and what is undefined is left out", () => {
  const given = { targetUrl: "https://example.com", expiresAt: new Date(0), name: undefined };
  expect(readInit(CreateLinkRequestSchema, given)).toEqual({
    targetUrl: "https://example.com",
    expiresAt: "1970-01-01T00:00:00.000Z",
  });
  const image = new Uint8Array(2);
  expect(readInit(SetStatusPageLogoRequestSchema, { image })).toEqual({ image });
});

test("an invalid Date of a request names its field", async () => {
  const lookout = createLookout({ baseUrl: "http://127.0.0.1:9" });
  const invalid = new Date(Number.NaN);
  const wrong = (field: string) => ({
    code: "VALIDATION_ERROR",
    message: `${field} is an invalid Date`,
    details: [{ field }],
  });
  await expect(lookout.links.createLink({ targetUrl: "", expiresAt: invalid })).rejects.toMatchObject(
    wrong("expiresAt"),
  );
  await expect(
    lookout.query({ startDate: invalid, endDate: "2026-01-01", parameters: ["top_pages"] }),
  ).rejects.toMatchObject(wrong("startDate"));
  await lookout.close();
});

test("an event with an invalid time is reported, and later ones are taken", async () => {
  const dropped: string[] = [];
  const lookout = createLookout({
    baseUrl: "http://127.0.0.1:9",
    events: { onDropped: (events, { code }) => dropped.push(`${events[0]?.name} ${code}`), closeTimeoutMs: 1 },
  });
  expect(lookout.events.track({ name: "signup", timestamp: new Date(Number.NaN) })).toBe(false);
  expect(lookout.events.track({ name: "signup" })).toBe(true);
  expect(lookout.events.size).toBe(1);
  await expect.poll(() => dropped).toEqual(["signup VALIDATION_ERROR"]);
  await lookout.close();
});

describe.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("timeoutMs: %d is refused", (timeoutMs) => {
  const refused = { code: "VALIDATION_ERROR", details: [{ field: "timeoutMs" }] };
  test("of a client", () => {
    expect(() => createLookout({ baseUrl: "http://127.0.0.1:9", timeoutMs })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^timeoutMs must be from 0 \(no limit\)/) }),
    );
  });
  test("of a call and of a stream", async () => {
    const lookout = createLookout({ baseUrl: "http://127.0.0.1:9", websiteId: "w" });
    await expect(lookout.links.listLinks({}, { timeoutMs })).rejects.toMatchObject(refused);
    const watched = lookout.watch({ preset: "today", parameters: ["top_pages"] }, { timeoutMs });
    await expect(watched.next()).rejects.toMatchObject(refused);
    await lookout.close();
  });
});

/** Compiled by `npm run check:types`, which fails where a line below `@ts-expect-error` compiles. Not run. */
async function typed(maybe: string | undefined): Promise<void> {
  const lookout = createLookout({
    baseUrl: "http://x",
    apiKey: process.env["KEY"],
    retry: { attempts: undefined },
  });
  lookout.events.track({ name: "signup", path: maybe, timestamp: new Date() });
  await lookout.query({ preset: "today", parameters: ["top_pages"], limit: undefined, websiteId: maybe });
  await lookout.query({ startDate: new Date(), endDate: "2026-01-31", parameters: ["top_pages"] });
  await lookout.links.createLink({ targetUrl: "", expiresAt: new Date() });
  for await (const link of each(lookout.links.listLinks, { websiteId: maybe }))
    expectTypeOf(link).toEqualTypeOf<Link>();
  for await (const entry of each(lookout.auditLog.listAuditLog, {})) expectTypeOf(entry.action).toBeString();
  // @ts-expect-error without members that the contract requires
  await lookout.uptime.createMonitor({});
  // @ts-expect-error without a member that the contract requires
  await lookout.links.createLink({ websiteId: maybe });
  // @ts-expect-error without a member that the contract requires
  await lookout.uptime.listMonitors({});
  // @ts-expect-error an answer without pages
  for await (const _ of each(lookout.queries.listQueryTypes, {})) return;
}

test("options may be undefined, times may be a Date, and lists know what they list", () => {
  expectTypeOf(typed).returns.resolves.toBeVoid();
  expectTypeOf<Lookout[typeof Symbol.asyncDispose]>().returns.resolves.toBeVoid();
});
