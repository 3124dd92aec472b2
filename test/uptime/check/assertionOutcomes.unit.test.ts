import { expect, test } from "vitest";
import { assertionOutcomes } from "../../../src/uptime/check/jsonAssertions.ts";
import { incidentAddress, withAddress } from "../../../src/uptime/notifications/message/incidentAddress.ts";
import type { NotificationMessage } from "../../../src/uptime/notifications/message/notificationMessage.ts";
import { notificationText } from "../../../src/uptime/notifications/message/notificationText.ts";

const assertions = [
  { path: "$.status", operator: "eq", value: "ok" },
  { path: "$.queue", operator: "lt", value: 10 },
  { path: "$.missing", operator: "exists" },
] as const;

test("each assertion has its outcome and what was found", () => {
  const outcomes = assertionOutcomes('{"status":"ok","queue":12}', assertions);
  expect(outcomes?.map(({ holds, found }) => [holds, found])).toEqual([
    [true, '"ok"'],
    [false, "12"],
    [false, ""],
  ]);
  expect(assertionOutcomes("<html>", assertions)).toBeUndefined();
});

test("messages about an incident lead to its page", () => {
  const message: NotificationMessage = {
    type: "incident.opened",
    timestamp: "2026-11-21T10:00:00.000Z",
    data: {
      monitor: { id: "m", name: "Shop", url: "https://example.com/", websiteId: "w 1" },
      incident: {
        id: "m/1795255140000",
        startedAt: "2026-11-21T09:59:00.000Z",
        resolvedAt: null,
        durationMs: 60_000,
        firstError: "HTTP 503",
        checksAffected: 2,
        regions: ["local"],
      },
    },
  };
  const url = "https://a.example/sub/uptime/w%201/incident/m/1795255140000";
  expect(incidentAddress("https://a.example/sub", "w 1", "m/1795255140000")).toBe(url);
  const sent = withAddress(message, "https://a.example/sub");
  expect(sent.data.incident?.url).toBe(url);
  expect(notificationText(sent).lines.at(-1)).toBe(url);
  const other: NotificationMessage = { type: "test", timestamp: "", data: { text: "x" } };
  expect(withAddress(other, "https://a.example")).toBe(other);
});
