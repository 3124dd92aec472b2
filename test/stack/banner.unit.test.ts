import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { banner, earlyBanner } from "../../stack/banner.ts";

const env = { DATA_DIR: "/data", QUESTDB_HTTP: "" };
const text = (given: Record<string, string>, hasCredentials: boolean) =>
  banner(readConfig({ ...env, ...given }), "4.2 s", hasCredentials);

test("the first line of each banner says which address to open", () => {
  expect(text({ BASE_URL: "https://stats.example.com" }, true).trimStart()).toMatch(
    /^Open https:\/\/stats\.example\.com\n/,
  );
  const early = earlyBanner(readConfig({ ...env, PORT: "7070" }), "1 s");
  expect(early.trimStart()).toMatch(/^Open http:\/\/\S+:7070\n/);
});

test("the banner points to credentials.json if it exists", () => {
  expect(text({}, true)).toContain("Credentials      /data/credentials.json\n");
});

test("the banner says that credentials.json is missing, with advice", () => {
  const lines = text({}, false);
  expect(lines).toContain("Credentials      /data/credentials.json is missing.");
  expect(lines).toContain("npm run recover");
});

test("the banner shows no password, and no address it does not know, of stores given by address", () => {
  const lines = text(
    { QUESTDB_HTTP: "http://admin:secret@db:9000", QUESTDB_PG: "postgres://db:8812/qdb", TEMPORAL_ADDRESS: "t:7233" },
    true,
  );
  expect(lines).toContain("QuestDB console  http://db:9000\n");
  expect(lines).toContain("that of your Temporal server");
});
