import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";

test("a whole request cannot have less time than its headers", () => {
  expect(() => readConfig({ REQUEST_TIMEOUT_MS: "5000" })).toThrow(
    new ConfigError("REQUEST_TIMEOUT_MS (5000) must not be less than HEADERS_TIMEOUT_MS (10000)"),
  );
  const { server } = readConfig({ REQUEST_TIMEOUT_MS: "5000", HEADERS_TIMEOUT_MS: "1000" });
  expect(server).toMatchObject({ requestTimeoutMs: 5_000, headersTimeoutMs: 1_000 });
});
