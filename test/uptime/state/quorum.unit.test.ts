import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckOutcome, CheckStatus } from "../../../src/uptime/check/checkTypes.ts";
import { slotResult } from "../../../src/uptime/state/quorum.ts";

const outcome = (status: CheckStatus, more: Partial<CheckOutcome> = {}): CheckOutcome => ({
  status,
  httpCode: status === "down" ? 0 : 200,
  dnsMs: 0,
  connectMs: 0,
  tlsMs: 0,
  ttfbMs: 0,
  totalMs: 0,
  responseBytes: 0,
  startedMs: 0,
  finishedMs: 0,
  attempts: 1,
  error: status === "up" ? undefined : `${status} error`,
  ...more,
});
const answers = (...statuses: CheckStatus[]) =>
  statuses.map((status, index) => ({ region: `r${index}`, outcome: outcome(status) }));
const statusOf = (...statuses: CheckStatus[]) => slotResult(0, answers(...statuses), false).status;

test("3: one region decides alone", () => {
  expect(statusOf("up")).toBe("up");
  expect(statusOf("degraded")).toBe("degraded");
  expect(statusOf("down")).toBe("down");
});

test("3: several regions: down takes more than half of those that answered", () => {
  expect(statusOf("down", "up")).toBe("degraded");
  expect(statusOf("down", "down", "up")).toBe("down");
  expect(statusOf("down", "up", "up")).toBe("degraded");
  expect(statusOf("up", "up", "up")).toBe("up");
  expect(statusOf()).toBe("unknown");
});

test("3: any answers: down if most are, up if all are, in any order", () => {
  const statuses = fc.array(fc.constantFrom<CheckStatus>("up", "down", "degraded"), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(statuses, fc.boolean(), (list, inMaintenance) => {
      const result = slotResult(5, answers(...list), inMaintenance);
      const down = list.filter((status) => status === "down").length;
      expect(result.status === "down").toBe(down > list.length - down);
      expect(result.status === "up").toBe(list.every((status) => status === "up"));
      expect(result).toMatchObject({ dueMs: 5, inMaintenance });
      expect(result.failedRegions).toHaveLength(down);
      expect(statusOf(...list.toReversed())).toBe(result.status);
      // A slot that is not up always has a reason.
      expect(result.error === undefined).toBe(result.status === "up");
    }),
  );
});

test("3: the certificate that expires first counts", () => {
  const ends = [300, undefined, 200].map((sslExpiryMs, index) => ({
    region: `r${index}`,
    outcome: outcome("up", { sslExpiryMs }),
  }));
  expect(slotResult(0, ends, false).sslExpiryMs).toBe(200);
  expect(slotResult(0, answers("up"), false).sslExpiryMs).toBeUndefined();
});
