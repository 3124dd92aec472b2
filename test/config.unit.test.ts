import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, type Env, readConfig, settingNames, withBackupPlace } from "../src/config.ts";
import { misspeltSettings } from "../src/misspeltSettings.ts";
import { removedSettings, replacedSettings } from "../src/removedSettings.ts";

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
    SHUTDOWN_TIMEOUT_MS: "never",
    HSTS_MS: "0",
    S3_ACCESS_KEY_ID: "hunter2",
    BACKUP_S3_SECRET_ACCESS_KEY: "hunter2",
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
    "BACKUP_S3_SECRET_ACCESS_KEY",
    "BASE_URL",
    "DATABASE_URL",
    "LOG_LEVEL",
    "OIDC_ISSUER",
    "PORT",
    "S3_ACCESS_KEY_ID",
    "SHUTDOWN_TIMEOUT_MS",
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

const bucket =
  "a bucket: set EXPORT_S3_BUCKET, or BACKUP_TO to s3://bucket/folder, or give S3_* to that command alone which names a bucket";

test.each([
  [{ KAFKA_TLS_CA: "/ca.pem" }, "KAFKA_TLS_CA", "KAFKA_TLS=on"],
  [{ KAFKA_TLS_KEY: "/key.pem", KAFKA_TLS_CERT: "/cert.pem", KAFKA_TLS: "off" }, "KAFKA_TLS_KEY", "KAFKA_TLS=on"],
  [{ KAFKA_TLS: "on" }, "KAFKA_TLS", "KAFKA_BROKERS"],
  [{ KAFKA_SASL_USERNAME: "u", KAFKA_SASL_PASSWORD: "hunter2" }, "KAFKA_SASL_USERNAME", "KAFKA_BROKERS"],
  [{ KAFKA_SASL_MECHANISM: "PLAIN" }, "KAFKA_SASL_MECHANISM", "KAFKA_SASL_USERNAME"],
  [{ S3_ENDPOINT: "https://s3.example.com" }, "S3_ENDPOINT", bucket],
  [{ S3_REGION: "eu-central-1", BACKUP_TO: "/backups" }, "S3_REGION", bucket],
  [{ S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "hunter2" }, "S3_ACCESS_KEY_ID", bucket],
  [{ BACKUP_INTERVAL_MS: "3600000" }, "BACKUP_INTERVAL_MS", "BACKUP_TO"],
  [{ BACKUP_CHECK_INTERVAL_MS: "0" }, "BACKUP_CHECK_INTERVAL_MS", "BACKUP_TO"],
  [{ HSTS_MS: "0", BASE_URL: "http://a.example" }, "HSTS_MS", "a BASE_URL of https"],
  [{ TEMPORAL_HISTORY_SHARDS: "4" }, "TEMPORAL_HISTORY_SHARDS", "TEMPORAL=server or TEMPORAL=cluster"],
] as [Env, string, string][])("settings that would be ignored are refused: %o", (env, given, missing) => {
  const whatToDo = missing.includes(":") ? "" : ": set both, or neither";
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      message: `${given} does nothing without ${missing}${whatToDo}\nAll settings: docs/operate/settings.md`,
    }),
  );
});

test("SHARDS and KAFKA_BROKERS need each other", () => {
  const shards = { SHARDS: "s1=http://a:9000|postgres://a:8812/qdb" };
  const lines = (message: string) => expect.objectContaining({ message: expect.stringMatching(message) });
  expect(() => readConfig(shards)).toThrow(
    lines("^SHARDS needs KAFKA_BROKERS, [^\n]*: set both, or for one QuestDB set"),
  );
  expect(() => readConfig({ KAFKA_BROKERS: "kafka-1:9092" })).toThrow(lines("^KAFKA_BROKERS needs SHARDS"));
  expect(readConfig({ ...shards, KAFKA_BROKERS: "kafka-1:9092" }).questdb.shards).toHaveLength(1);
});

test("a setting with another one in its place stops the start where data or keys would be missed, and names the other one", () => {
  const env = { EXPORT_S3_BUCKET: "exports", EXPORT_S3_ENDPOINT: "https://a", BACKUP_S3_ACCESS_KEY_ID: "hunter2" };
  expect(() => readConfig(env)).toThrow(
    expect.objectContaining({
      message: [
        "EXPORT_S3_ENDPOINT is now S3_ENDPOINT, for exports and backups: set that instead",
        "BACKUP_S3_ACCESS_KEY_ID is now S3_ACCESS_KEY_ID, for exports and backups: set that instead",
        "All settings: docs/operate/settings.md",
      ].join("\n"),
    }),
  );
  expect(readConfig({ EXPORT_S3_ENDPOINT: "" }).exports.bucket).toBeUndefined();
});

test("exports and backups have one store of buckets", () => {
  const s3 = { S3_ENDPOINT: "https://s3.example.com", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
  const access = {
    endpoint: "https://s3.example.com",
    region: "us-east-1",
    keys: { accessKeyId: "a", secretAccessKey: "b" },
  };
  expect(readConfig({ ...s3, EXPORT_S3_BUCKET: "exports" }).exports.bucket).toEqual({ name: "exports", ...access });
  expect(readConfig({ ...s3, BACKUP_TO: "s3://backups/lookout" }).backup.s3).toEqual(access);
  // A command may be given the only bucket.
  expect(readConfig(withBackupPlace(s3, "s3://backups")).backup.s3).toEqual(access);
  for (const place of [undefined, "/backups"])
    expect(() => readConfig(withBackupPlace(s3, place))).toThrow(/^S3_ENDPOINT does nothing without a bucket/);
});

test("CACHE_MS and CACHE_MB are the time and size of all caches", () => {
  const cachesOf = (env: Env) => {
    const { access, links, uptime } = readConfig(env);
    return [
      [access.keyCacheMs, access.websiteCacheMs, links.cacheMs, uptime.statusPageCacheMs],
      [access.cachedKeys, access.cachedWebsites, links.maxCached, uptime.cachedStatusPages],
    ];
  };
  expect(cachesOf({})).toEqual([
    [1_000, 1_000, 1_000, 5_000],
    [10_000, 10_000, 50_000, 500],
  ]);
  expect(cachesOf({ CACHE_MS: "0", CACHE_MB: "20" })).toEqual([
    [0, 0, 0, 1_000],
    [2_000, 2_000, 10_000, 100],
  ]);
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
    S3_ENDPOINT: "https://s3.example.com",
  };
  const { kafka, exports } = readConfig(env);
  expect(kafka).toMatchObject({ tls: { isOn: true, caFile: "/ca.pem" }, sasl: { mechanism: "PLAIN", username: "u" } });
  expect(exports.bucket).toMatchObject({ name: "exports", endpoint: "https://s3.example.com" });
  // What follows from a wrong one is not said as well.
  expect(() => readConfig({ ...env, KAFKA_BROKERS: "kafka" })).toThrow(/^KAFKA_BROKERS [^\n]*\nAll settings/);
});

test("SHARDS names the replicas of each shard in their order, and no password in a message", () => {
  const { questdb } = readConfig({
    KAFKA_BROKERS: "kafka-1:9092",
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

const settingsPage = () => readFileSync(new URL("../docs/operate/settings.md", import.meta.url), "utf8");

test("the settings that are known are those of the documentation", () => {
  const documented = [...settingsPage().matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect([...settingNames()].sort()).toEqual([...documented, "PATH", "XDG_CACHE_HOME"].sort());
});

test("no setting of an earlier version is one, and those with a fixed value are documented with it", () => {
  const former = [...Object.keys(removedSettings), ...Object.keys(replacedSettings)];
  expect(former.filter((name) => settingNames().has(name))).toEqual([]);
  for (const name of Object.values(replacedSettings)) expect(settingNames()).toContain(name);
  const [, fixed = ""] = settingsPage().split("## Fixed values");
  const documented = [...fixed.matchAll(/ `([A-Z_]+)` \|$/gm)].map(([, name]) => name);
  const told = Object.entries(removedSettings).filter(([, instead]) => instead.startsWith("its value is fixed"));
  expect(documented.sort()).toEqual(told.map(([name]) => name).sort());
});

test("a setting of an earlier version that is still set is named, with what is in its place", () => {
  const warnings = misspeltSettings({
    WATCH_MAX_STREAMS: "5",
    LINK_CACHE_MS: "100",
    CACHED_LINKS: "",
    KEY_CACHE_MS: "0",
  });
  expect(warnings).toEqual([
    "KEY_CACHE_MS is no longer a setting and has no effect: CACHE_MS is the time of all caches",
    "LINK_CACHE_MS is no longer a setting and has no effect: CACHE_MS is the time of all caches",
    "WATCH_MAX_STREAMS is no longer a setting and has no effect: its value is fixed, see docs/operate/settings.md",
  ]);
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
    CACHE_DRIVER: "redis",
    QUESTDB_SERVICE_HOST: "10.0.0.1",
    QUESTDB_PORT: "tcp://10.0.0.1:9000",
    QUESTDB_PORT_9000_TCP_ADDR: "10.0.0.1",
    npm_config_cache: "a",
  };
  expect(misspeltSettings({ ...all, ...others })).toEqual([]);
});
