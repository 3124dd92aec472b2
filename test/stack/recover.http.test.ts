import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson, openBrowser, type Person, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { totpCode } from "../kit/calls/totp.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-recover-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs the command on the accounts of the shared stack, but with a DATA_DIR of its own. */
async function recover(...args: string[]): Promise<{ code: number; output: string }> {
  const { databaseUrl } = inject("lookout");
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: directory };
  return await promisify(execFile)(process.execPath, ["stack/recover.ts", ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

const signIn = async ({ email, password }: Pick<Person, "email" | "password">, browser = openBrowser()) =>
  (await browser.call("/auth/sign-in", { email, password })).status;

test("7: an owner gets a new password and key, which credentials.json holds; the old password and sessions end", async () => {
  const website = await createWebsite();
  const owner = await createPerson({ organizationId: website.organizationId });
  const browser = openBrowser();
  expect(await signIn(owner, browser)).toBe(200);

  const { code, output } = await recover("--email", owner.email.toUpperCase());
  expect([code, output]).toEqual([0, expect.stringContaining(`${owner.email}, owner of`)]);
  const file = join(directory, "credentials.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const made = JSON.parse(await readFile(file, "utf8"));
  expect(made).toMatchObject({ organizationId: website.organizationId, websiteId: website.websiteId });
  expect(output).not.toContain(made.password);
  expect(output).not.toContain(made.apiKey);

  expect(await signIn(owner)).toBe(401);
  expect(await signIn(made)).toBe(200);
  await expect.poll(async () => (await browser.call("/auth/session")).status).toBe(401);
  const audit = await send("POST", "/audit/list", { apiKey: made.apiKey, body: { limit: 10 } });
  expect(audit.status).toBe(200);
  const { entries } = audit.body as { entries: { action: string }[] };
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["member.recover_access", "api_key.create"]),
  );
  expect((await send("POST", "/audit/list", { apiKey: website.apiKey, body: {} })).status, "other keys stay").toBe(200);
});

test("7: a person who changes a generated password is not asked again, and credentials.json no longer names it", async () => {
  const owner = await createPerson({ organizationId: await createOrganization() });
  await recover("--email", owner.email);
  const file = join(directory, "credentials.json");
  const made = JSON.parse(await readFile(file, "utf8"));
  // A server of its own has this DATA_DIR.
  const own = await startOwnServer(handlers, { DATA_DIR: directory });
  try {
    const browser = openBrowser(own.baseUrl);
    await browser.call("/auth/sign-in", { email: made.email, password: made.password });
    expect((await browser.call("/auth/session")).body).toMatchObject({ hasGeneratedPassword: true });
    const body = { currentPassword: made.password, newPassword: "a password of mine" };
    expect((await browser.call("/auth/change-password", body)).status).toBe(200);
    expect((await browser.call("/auth/session")).body).toMatchObject({ hasGeneratedPassword: false });
    const { password: _, ...kept } = made;
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(kept);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    await own.close();
  }
});

test("7: the second factor stays unless it is to be removed", async () => {
  const owner = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(owner);
  const { body } = await browser.call("/auth/second-factor/enable", { password: owner.password });
  const code = totpCode((body as { totpUri: string }).totpUri);
  expect((await browser.call("/auth/second-factor/verify", { code })).status).toBe(200);
  const signInAfter = async (...args: string[]) => {
    expect((await recover("--email", owner.email, ...args)).code).toBe(0);
    const made = JSON.parse(await readFile(join(directory, "credentials.json"), "utf8"));
    return await openBrowser().call("/auth/sign-in", { email: made.email, password: made.password });
  };
  expect(await signInAfter()).toMatchObject({ status: 401, body: { details: [{ field: "code" }] } });
  expect(await signInAfter("--remove-second-factor")).toMatchObject({ status: 200, body: { hasSecondFactor: false } });
});

test("7: without a name of one of several owners, and with a wrong one, it changes nothing and lists them", async () => {
  const website = await createWebsite();
  await createPerson({ organizationId: website.organizationId });
  for (const [args, problem] of [
    [[], "There are several owners; name one"],
    [["--email", "nobody@example.com"], "No owner has the address nobody@example.com; name one"],
    [["--mail", "x"], "Usage: npm run recover"],
  ] as const) {
    const { code, output } = await recover(...args);
    expect(code).toBe(2);
    expect(output).toContain(problem);
    expect(output).not.toMatch(/\bat .*\.ts:\d+/);
  }
  await expect(stat(join(directory, "credentials.json"))).rejects.toThrow("ENOENT");
});
