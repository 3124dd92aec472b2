import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, type Env, readConfig, settingNames } from "../src/config.ts";
import { misspeltSettings } from "../src/misspeltSettings.ts";

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
    BASE_URL: "analytics.example.com",
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
    "BASE_URL",
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

test("a wrong address is shown without what may be a secret", () => {
  const shown = (given: string) => {
    try {
      readConfig({ DATABASE_URL: given });
    } catch (error) {
      return /, not "(.*)"$/m.exec(String(error))?.[1];
    }
    return undefined;
  };
  expect(shown("postgres://lookout:hunter2@db:5432/lookout")).toBeUndefined();
  for (const [given, masked] of [
    ["postgres//lookout:hunter2@db", "postgres//***@db"],
    ["mysql://u:hun@ter:2@db:33/x", "mysql://***@db:33/x"],
    ["mysql://db/x?password=hunter2", "mysql://db/x?***"],
    ["localhost:5432/lookout", "localhost:5432/lookout"],
    ["db.example.com", "db.example.com"],
    ["lookout:hunter2", "***"],
    ["hunter2", "***"],
  ])
    expect(shown(given ?? ""), given).toBe(masked);
});

test("each message has the value, except of secrets, and what is allowed", () => {
  const messageOf = (env: Env) => {
    try {
      readConfig(env);
    } catch (error) {
      return String(error).split("\n")[0];
    }
    return undefined;
  };
  expect(messageOf({ PORT: "80800" })).toMatch('PORT must be a whole number from 0 to 65535, not "80800"');
  expect(messageOf({ AUTH_SECRET: "hunter2" })).toMatch("must have at least 32 characters, not 7;");
  expect(messageOf({ QUESTDB_HTTP: "ftp://db" })).toMatch('such as http://127.0.0.1:9000, not "ftp://db"');
  expect(messageOf({ TLS_CERT: "/a.pem" })).toMatch(
    "set both to the paths of PEM files, or neither, not only TLS_CERT",
  );
  expect(messageOf({ UPTIME_REGIONS: "eu-1" })).toMatch("UPTIME_REGIONS (eu-1) needs UPTIME_PROBE_KEY");
});

test.each([
  [{ KAFKA_TLS_CA: "/ca.pem" }, "KAFKA_TLS_CA", "KAFKA_TLS=on"],
  [{ KAFKA_TLS_KEY: "/key.pem", KAFKA_TLS_CERT: "/cert.pem", KAFKA_TLS: "off" }, "KAFKA_TLS_KEY", "KAFKA_TLS=on"],
  [{ KAFKA_TLS: "on" }, "KAFKA_TLS", "KAFKA_BROKERS"],
  [{ KAFKA_SASL_USERNAME: "u", KAFKA_SASL_PASSWORD: "hunter2" }, "KAFKA_SASL_USERNAME", "KAFKA_BROKERS"],
  [{ KAFKA_SASL_MECHANISM: "PLAIN" }, "KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME"],
  [{ EXPORT_S3_ENDPOINT: "https://s3.example.com" }, "EXPORT_S3_ENDPOINT", "EXPORT_S3_BUCKET"],
  [
    { EXPORT_S3_ACCESS_KEY_ID: "a", EXPORT_S3_SECRET_ACCESS_KEY: "hunter2" },
    "EXPORT_S3_ACCESS_KEY_ID",
    "EXPORT_S3_BUCKET",
  ],
] as [Env, string, string][])("settings that would be ignored are refused: %o", (env, given, missing) => {
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      message: `${given} does nothing without ${missing}: set both, or neither\nAll settings: docs/operate/settings.md`,
    }),
  );
});

test("what brokers and buckets need together is taken", () => {
  const shards = "s1=http://a:9000|postgres://a:8812/qdb";
  const env = {
    SHARDS: shards,
    KAFKA_BROKERS: "kafka-1:9092",
    KAFKA_TLS: "on",
    KAFKA_TLS_CA: "/ca.pem",
    KAFKA_SASL_MECHANISM: "PLAIN",
    KAFKA_SASL_USERNAME: "u",
    KAFKA_SASL_PASSWORD: "p",
    EXPORT_S3_BUCKET: "exports",
    EXPORT_S3_ENDPOINT: "https://s3.example.com",
  };
  const { kafka, exports } = readConfig(env);
  expect(kafka).toMatchObject({ tls: { isOn: true, caFile: "/ca.pem" }, sasl: { mechanism: "PLAIN", username: "u" } });
  expect(exports.bucket).toMatchObject({ name: "exports", endpoint: "https://s3.example.com" });
  // What follows from a wrong one is not said as well.
  expect(() => readConfig({ ...env, KAFKA_BROKERS: "kafka" })).toThrow(/^KAFKA_BROKERS [^\n]*\nAll settings/);
});

test("SHARDS names the replicas of each shard in their order, and no password in a message", () => {
  const { questdb } = readConfig({
    SHARDS:
      "s1=http://admin:hunter2@a:9000|postgres://admin:hunter2@a:8812/qdb, https://b/|postgres://b:8812/qdb; eu-2=http://c:9000|postgres://c:8812/qdb;",
  });
  expect(questdb.shards).toEqual([
    {
      name: "s1",
      replicas: [
        { name: "a", http: "http://admin:hunter2@a:9000", pg: "postgres://admin:hunter2@a:8812/qdb" },
        { name: "b", http: "https://b", pg: "postgres://b:8812/qdb" },
      ],
    },
    { name: "eu-2", replicas: [{ name: "a", http: "http://c:9000", pg: "postgres://c:8812/qdb" }] },
  ]);
  expect(readConfig({}).questdb.shards).toEqual([]);
  for (const given of [
    "s1=http://admin:hunter2@a:9000",
    "s1=postgres://a/qdb|http://a",
    "S1=http://a|postgres://admin:hunter2@a",
    "http://admin:hunter2@a|postgres://a",
    "s1=http://a|postgres://a,",
    "s1=http://a|postgres://a;s1=http://b|postgres://b",
  ])
    expect(() => readConfig({ SHARDS: given })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^SHARDS (?!.*hunter2)/) }),
    );
});

test("the settings that are known are those of the documentation", () => {
  const page = readFileSync(new URL("../docs/operate/settings.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect([...settingNames()].sort()).toEqual([...documented, "PATH", "XDG_CACHE_HOME"].sort());
});

test("a variable that looks like a setting and is none is named, with the setting that was meant", () => {
  const warnings = misspeltSettings({
    RETENTION_RAW_EVENTS_DAYS: "30",
    BACKUPS_TO: "/backups",
    DATABASE_URI: "postgres://a",
    QUESTDB_NONSENSE_OF_OURS: "1",
  });
  expect(warnings).toEqual([
    "RETENTION_RAW_EVENTS_DAYS is no setting and has no effect. Did you mean RETENTION_RAW_EVENT_DAYS?",
    "BACKUPS_TO is no setting and has no effect. Did you mean BACKUP_TO?",
    "DATABASE_URI is no setting and has no effect. Did you mean DATABASE_URL?",
    "QUESTDB_NONSENSE_OF_OURS is no setting and has no effect",
  ]);
});

test("settings, variables of other programs and those of Kubernetes are not taken for misspelt ones", () => {
  const all = Object.fromEntries([...settingNames()].map((name) => [name, ""]));
  const others = {
    HOME: "/root",
    HOSTNAME: "a",
    LOGNAME: "a",
    JAVA_OPTS: "-Xmx1g",
    LOG_DIR: "/var/log",
    OTEL_SERVICE_NAME: "a",
    TEMPORAL_CLI_ADDRESS: "a",
    DATABASE_PASSWORD: "a",
    QUESTDB_SERVICE_HOST: "10.0.0.1",
    QUESTDB_PORT: "tcp://10.0.0.1:9000",
    QUESTDB_PORT_9000_TCP_ADDR: "10.0.0.1",
    npm_config_cache: "a",
  };
  expect(misspeltSettings({ ...all, ...others })).toEqual([]);
});
