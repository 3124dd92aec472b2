import { expect, test } from "vitest";
import { ConfigError, readConfig } from "../src/config.ts";

test("a whole request cannot have less time than its headers", () => {
  expect(() => readConfig({ REQUEST_TIMEOUT_MS: "5000" })).toThrow(
    /^REQUEST_TIMEOUT_MS \(5000\) must not be less than HEADERS_TIMEOUT_MS \(10000\)$/m,
  );
  const { server } = readConfig({ REQUEST_TIMEOUT_MS: "5000", HEADERS_TIMEOUT_MS: "1000" });
  expect(server).toMatchObject({ requestTimeoutMs: 5_000, headersTimeoutMs: 1_000 });
});

test("all invalid settings are named at once, without secrets and without errors that follow from others", () => {
  const env = {
    PORT: "80800",
    LOG_LEVEL: "verbose",
    DATABASE_URL: "postgres//lookout:hunter2@db",
    SMTP_URL: "mail:hunter2",
    SMTP_FROM: "a@example.com",
    OIDC_ISSUER: "id.example.com",
    OIDC_CLIENT_ID: "a",
    OIDC_CLIENT_SECRET: "hunter2",
    UPTIME_REGIONS: "eu-1",
    TLS_KEY: "/key.pem",
    REQUEST_TIMEOUT_MS: "never",
    HEADERS_TIMEOUT_MS: "60000",
    AUTH_SECRET: "hunter2",
  };
  let message = "";
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) ({ message } = error);
  }
  expect(message).not.toContain("hunter2");
  const lines = message.split("\n");
  expect(lines.pop()).toBe("All settings: docs/operate/settings.md");
  expect(lines.map((line) => line.split(" ", 1)[0]).sort()).toEqual([
    "AUTH_SECRET",
    "DATABASE_URL",
    "LOG_LEVEL",
    "OIDC_ISSUER",
    "PORT",
    "REQUEST_TIMEOUT_MS",
    "SMTP_URL",
    "TLS_KEY",
    "UPTIME_REGIONS",
  ]);
});
