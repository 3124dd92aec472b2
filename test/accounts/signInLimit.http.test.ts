import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let own: OwnServer;
let second: OwnServer;
beforeAll(async () => {
  const settings = { TRUSTED_PROXIES: "127.0.0.1" };
  const values = { accounts: { signInsPerAccount: 5, signInsPerAddress: 8 } };
  own = await startOwnServer(handlers, settings, values);
  second = await startOwnServer(handlers, settings, values);
});
afterAll(async () => {
  await own?.close();
  await second?.close();
});

function signIn(email: string, password: string, address: string, { baseUrl } = own) {
  const headers = { "x-forwarded-for": address };
  return send("POST", "/auth/sign-in", { baseUrl, body: { email, password }, headers });
}

test("7.4: guesses at one account are limited across addresses and processes, even with the right password", async () => {
  const { email, password } = await createPerson({ organizationId: await createOrganization() });
  const statuses = [];
  for (let at = 0; at < 5; at++)
    statuses.push((await signIn(email, "wrong", `192.0.2.${at}`, at % 2 === 0 ? own : second)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const refused = await signIn(email, password, "192.0.2.100", second);
  expect(refused).toMatchObject({
    status: 429,
    body: {
      success: false,
      code: "RATE_LIMIT_EXCEEDED",
      limit: 5,
      remaining: 0,
      reset: expect.stringMatching(/Z$/),
      retryAfter: expect.any(Number),
    },
  });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
});

test("7.4: guesses from one address at many accounts are limited too; a /64 counts as one address", async () => {
  for (const [first, last] of [
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"],
  ] as const) {
    for (let at = 0; at < 8; at++)
      expect((await signIn(`${first}-${at}@example.com`, "wrong", first)).status).toBe(401);
    expect((await signIn("another@example.com", "wrong", last)).status).toBe(429);
  }
  expect((await signIn("another@example.com", "wrong", "2001:db8:1:3::1")).status).toBe(401);
});

test("7.4: an account that does not exist is limited like one that does", async () => {
  const answers = [];
  for (const email of [(await createPerson()).email, "nobody-at-all@example.com"]) {
    const statuses = [];
    for (let at = 0; at < 7; at++) statuses.push((await signIn(email, "wrong", `203.0.113.${at}`)).status);
    answers.push(statuses);
  }
  expect(answers[0]).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(answers[1]).toEqual(answers[0]);
});

test("signing in resets the count of failures", async () => {
  const { email, password } = await createPerson({ organizationId: await createOrganization() });
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at < 2; at++) await signIn(email, "wrong", `192.0.2.2${round}`);
    expect((await signIn(email, password, `192.0.2.2${round}`)).status).toBe(200);
  }
});

test("concurrent guesses are each counted", async () => {
  const { email } = await createPerson();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => signIn(email, `guess ${at}`, `192.0.2.${150 + at}`)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
});

test("neither addresses nor accounts are stored", async () => {
  await signIn("somebody@example.com", "wrong", "203.0.113.77");
  const { rows } = await inDatabase((database) => database.query("SELECT * FROM sign_in_failures"));
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.77|somebody/);
});
