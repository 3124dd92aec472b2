import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { logExpiresMs } from "../../src/durableLog/logHorizon.ts";

const dayMs = 86_400_000;

test("brokers have bytes of a row for the retention and the time until they delete the file that has it", () => {
  expect(logExpiresMs(0, { retentionMs: 2 * dayMs })).toBe(2 * dayMs + 16 * 60_000);
});

test("8: erased rows are gone from the log within 30 days, whatever LOG_RETENTION_MS may be", () => {
  const longest = { LOG_RETENTION_MS: String(29 * dayMs) };
  expect(logExpiresMs(0, readConfig(longest).kafka)).toBeLessThan(30 * dayMs);
  expect(() => readConfig({ LOG_RETENTION_MS: String(29 * dayMs + 1) })).toThrow("LOG_RETENTION_MS");
});
