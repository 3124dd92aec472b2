import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { banner, earlyBanner } from "../../stack/banner.ts";
import type { Credentials, Output } from "../../stack/firstSignIn.ts";

const env = { DATA_DIR: "/data", QUESTDB_HTTP: "" };
const terminal = { isTerminal: true, isJournal: false };
const pipe = { isTerminal: false, isJournal: false };
const journal = { isTerminal: false, isJournal: true };
const chosen: Credentials = { email: "owner@localhost" };
const generated: Credentials = { ...chosen, password: "made-up&kept" };

const text = (given: Record<string, string>, credentials: Credentials | undefined, output: Output = terminal) =>
  banner(readConfig({ ...env, ...given }), "4.2 s", { credentials, output });

test("the first line of each banner says which address to open", () => {
  expect(text({ BASE_URL: "https://stats.example.com" }, chosen).trimStart()).toMatch(
    /^Open https:\/\/stats\.example\.com\n/,
  );
  const early = earlyBanner(readConfig({ ...env, PORT: "7070" }), "1 s", { credentials: chosen, output: terminal });
  expect(early.trimStart()).toMatch(/^Open http:\/\/\S+:7070\n/);
});

test("both banners have the link of the first sign-in until a password is chosen, with the password in its fragment", () => {
  const link = "/first-sign-in#email=owner%40localhost&password=made-up%26kept";
  const local = readConfig({ ...env, PORT: "7070" });
  for (const output of [terminal, pipe]) {
    expect(text({ PORT: "7070" }, generated, output)).toContain(`Open ${local.server.baseUrl}${link}\n`);
    expect(earlyBanner(local, "1 s", { credentials: generated, output })).toContain(
      `Open ${local.server.baseUrl}${link}\n`,
    );
  }
  const own = text({ PORT: "7070" }, chosen);
  expect(own).toContain(`Open ${local.server.baseUrl}\n`);
  expect(own).toContain("Sign in with your e-mail address and your password.");
});

test("logs that are kept get no generated password", () => {
  const address = { BASE_URL: "https://stats.example.com/here" };
  expect(text(address, generated, terminal)).toContain("Open https://stats.example.com/here/first-sign-in#email=");
  for (const without of [text(address, generated, pipe), text({}, generated, journal)]) {
    expect(without).not.toContain("made-up");
    expect(without).toContain("Sign in with the e-mail address and the password of credentials.json.");
  }
});

test("the banner points to credentials.json if it exists", () => {
  expect(text({}, chosen)).toContain("Credentials      /data/credentials.json\n");
});

test("the banner says that credentials.json is missing or damaged, with advice", () => {
  const lines = text({}, undefined);
  expect(lines).toContain("Credentials      /data/credentials.json is missing or damaged.");
  expect(lines).toContain("npm run recover");
});

test("the banner shows no password, and no address it does not know, of stores given by address", () => {
  const lines = text(
    { QUESTDB_HTTP: "http://admin:secret@db:9000", QUESTDB_PG: "postgres://db:8812/qdb", TEMPORAL_ADDRESS: "t:7233" },
    chosen,
  );
  expect(lines).toContain("QuestDB console  http://db:9000\n");
  expect(lines).toContain("that of your Temporal server");
});
