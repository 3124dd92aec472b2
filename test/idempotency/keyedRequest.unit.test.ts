import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import type { Caller } from "../../src/call/caller.ts";
import { CreateMonitorRequestSchema, UptimeService } from "../../src/gen/lookout/v1/uptime_pb.ts";
import { keyedRequest } from "../../src/idempotency/keyedRequest.ts";
import { readIdempotencyKey } from "../../src/idempotency/readIdempotencyKey.ts";

const method = UptimeService.method.createMonitor;
const url = "https://example.com/";
const program: Caller = {
  kind: "key",
  keyId: "k",
  organizationId: "o",
  scopes: new Set(),
  websiteIds: undefined,
};
const by = (caller: Caller, key = "a") => ({ key, caller, acrossOrganizations: false });
const keyed = (request: object) => keyedRequest(method, create(CreateMonitorRequestSchema, request), by(program));

test("a request is the same with the entries of a map in another order, and with its key in the message", () => {
  const first = keyed({ websiteId: "w", url, headers: { a: "1", b: "2" } });
  expect(keyed({ websiteId: "w", url, headers: { b: "2", a: "1" }, idempotencyKey: "a" })).toEqual(first);
  expect(keyed({ websiteId: "w", url, headers: { a: "2", b: "1" } }).fingerprint).not.toBe(first.fingerprint);
  expect(keyed({ websiteId: "w", url }).fingerprint).not.toBe(first.fingerprint);
});

test("a key belongs to its caller, the caller's organization, the call and its text", () => {
  const person: Caller = {
    ...program,
    kind: "user",
    userId: "k",
    sessionId: "s",
    role: "owner",
    websiteIds: undefined,
  };
  const ids = [
    by(program),
    by(program, "b"),
    by({ ...program, keyId: "l" }),
    by({ ...program, organizationId: "p" }),
    by(person),
    by({ ...person, userId: "l" }),
  ].map((who) => keyedRequest(method, {}, who).id);
  ids.push(keyedRequest(UptimeService.method.testMonitor, {}, by(program)).id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(keyedRequest(method, {}, by({ ...person, sessionId: "t" })).id).toBe(ids[4]);
  const anywhere = (organizationId: string) =>
    keyedRequest(method, {}, { key: "a", caller: { ...person, organizationId }, acrossOrganizations: true }).id;
  expect(anywhere("o")).toBe(anywhere("p"));
});

test.each([
  ["a", undefined, "a"],
  ['"a"', "a", "a"],
  ['"a\\"b\\\\"', undefined, 'a"b\\'],
  ['"a', undefined, '"a'],
  [undefined, "a", "a"],
  [undefined, undefined, undefined],
])("the header %s and the field %s are the key %s", (header, field, key) => {
  expect(readIdempotencyKey(header, field)).toBe(key);
});

test.each(["", '""', "\u00e9", "k".repeat(256)])("the header %j is no key", (header) => {
  expect(() => readIdempotencyKey(header, undefined)).toThrow("Idempotency-Key must hold 1 to 255 printable ASCII");
});
