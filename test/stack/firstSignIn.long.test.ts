import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../kit/calls/person.ts";
import { ctrlC, npmStart } from "./npmStart.ts";
import { processesOf } from "./processes.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-first-"));
});
afterEach(async () => {
  for (const pid of processesOf(directory)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const addresses = (output: string): string[] =>
  [...output.matchAll(/^Open (\S+)$/gm)].map(([, address = ""]) => address);

test("npm start shows a link with the generated password until the owner has chosen one, and no log has the password", {
  timeout: 600_000,
}, async () => {
  const first = await npmStart(directory);
  const [link = ""] = addresses(first.output());
  const { origin, pathname, hash } = new URL(link);
  expect(pathname).toBe("/first-sign-in");
  const { email, password = "" } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  expect(email).toBe("owner@localhost");
  expect((await fetch(link)).status).toBe(200);
  const browser = openBrowser(origin);
  expect((await browser.call("/auth/sign-in", { email, password })).body).toMatchObject({ hasGeneratedPassword: true });
  const body = { currentPassword: password, newPassword: "a password of mine" };
  expect((await browser.call("/auth/change-password", body)).status).toBe(200);
  await ctrlC(first.npm);
  const logs = join(directory, "logs");
  const texts = await Promise.all((await readdir(logs)).map((file) => readFile(join(logs, file), "utf8")));
  expect(texts.filter((text) => text.includes(password))).toEqual([]);

  const second = await npmStart(directory);
  expect(new Set(addresses(second.output()).map((address) => new URL(address).href))).toEqual(
    new Set([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/)]),
  );
  expect(second.output()).toContain("Sign in with your e-mail address and your password.");
  await ctrlC(second.npm);
});
