import { expect, it } from "vitest";
import type { CheckTarget } from "../../../src/uptime/check/checkTypes.ts";
import { openTarget, sealTarget } from "../../../src/uptime/check/sealedTarget.ts";

const key = "a key of the tests with 32 characters";
const target: CheckTarget = {
  url: "https://example.com/?token=s3cret",
  method: "GET",
  headers: { authorization: "Bearer s3cret" },
  expectedStatus: ["200-299"],
  keyword: "",
  timeoutMs: 1_000,
  cacheBust: false,
  ipVersion: "auto",
  httpVersion: "auto",
  degradedAfterMs: 0,
};

it("3: a probe's request is decrypted with its key alone, and never encrypted the same way twice", () => {
  const sealed = sealTarget(target, key);
  expect(openTarget(sealed, key)).toEqual(target);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("s3cret");
  expect(sealTarget(target, key)).not.toBe(sealed);
  expect(() => openTarget(sealed, `${key}!`)).toThrow();
  const changed = Buffer.from(sealed, "base64");
  changed[40] = (changed[40] ?? 0) ^ 1;
  expect(() => openTarget(changed.toString("base64"), key)).toThrow();
});
