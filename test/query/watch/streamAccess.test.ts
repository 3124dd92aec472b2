import { randomUUID } from "node:crypto";
import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashKeyText } from "../../../src/access/keyText.ts";
import type { Role } from "../../../src/call/caller.ts";
import { DataService } from "../../../src/gen/lookout/v1/data_pb.ts";
import { QueryService } from "../../../src/gen/lookout/v1/query_pb.ts";
import { handlers } from "../../../src/main/handlers.ts";
import {
  addMember,
  type Browser,
  createOrganization,
  createPerson,
  type Person,
  signedIn,
} from "../../kit/calls/person.ts";
import { send } from "../../kit/calls/request.ts";
import { totpCode } from "../../kit/calls/totp.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type MailServer, startMailServer } from "../../kit/servers/mailServer.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";

let mail: MailServer;
let server: OwnServer;
beforeAll(async () => {
  mail = await startMailServer();
  const env = { CACHE_MS: "100", SMTP_URL: mail.url, SMTP_FROM: "lookout@example.com" };
  server = await startOwnServer(handlers, env, {
    watch: { intervalMs: 50 },
    accounts: { signInsPerAddress: 1_000_000 },
  });
});
afterAll(async () => {
  await server?.close();
  await mail?.close();
});

/** Who streams: a person with a session, who owns another organization too. */
type Subject = {
  readonly website: TestWebsite;
  readonly person: Person;
  readonly browser: Browser;
  readonly otherOrganizationId: string;
};

async function subject(): Promise<Subject> {
  const website = await createWebsite();
  const person = await createPerson({ organizationId: website.organizationId });
  const otherOrganizationId = await createOrganization();
  await addMember(person.userId, otherOrganizationId, "owner");
  await createPerson({ organizationId: website.organizationId });
  return { website, person, browser: await signedIn(person, server.baseUrl), otherOrganizationId };
}

async function done(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  expect(await answer).toMatchObject({ status: 200 });
}

const byCookie = ({ browser }: Subject) => ({ cookie: browser.cookie() ?? "", origin: server.baseUrl });
const byKey = ({ website }: Subject) => ({ "x-api-key": website.apiKey });
const byNothing = () => ({});

async function sessionIdOf(browser: Browser): Promise<string> {
  return ((await browser.call("/auth/session")).body as { id: string }).id;
}

/** A browser of another owner of the organization. */
async function colleague({ website }: Subject): Promise<Browser> {
  return await signedIn(await createPerson({ organizationId: website.organizationId }), server.baseUrl);
}

async function changeMember({ person, website }: Subject, by: Browser, path: string, more: object = {}): Promise<void> {
  const { rows } = await inDatabase((database) =>
    database.query("SELECT id FROM members WHERE user_id = $1 AND organization_id = $2", [
      person.userId,
      website.organizationId,
    ]),
  );
  await done(by.call(`/auth/members/${path}`, { id: rows[0].id, ...more }));
}

async function setRole({ person, website }: Subject, role: Role): Promise<void> {
  await inDatabase((database) =>
    database.query("UPDATE members SET role = $3 WHERE user_id = $1 AND organization_id = $2", [
      person.userId,
      website.organizationId,
      role,
    ]),
  );
}

async function otherWebsite({ apiKey }: TestWebsite): Promise<string> {
  const { baseUrl } = server;
  const body = { name: "Sibling", domain: "sibling.example" };
  return ((await send("POST", "/websites/create", { baseUrl, apiKey, body })).body as { id: string }).id;
}

async function changeKey({ website }: Subject, path: "revoke" | "rotate"): Promise<void> {
  const { rows } = await inDatabase((database) =>
    database.query("SELECT id FROM api_keys WHERE key_hash = $1", [hashKeyText(website.apiKey)]),
  );
  const { baseUrl } = server;
  await done(send("POST", `/api-keys/${path}`, { baseUrl, apiKey: website.apiKey, body: { id: rows[0].id } }));
}

async function setKey({ website }: Subject, change: string, values: unknown[] = []): Promise<void> {
  await inDatabase((database) =>
    database.query(`UPDATE api_keys SET ${change} WHERE key_hash = $1`, [hashKeyText(website.apiKey), ...values]),
  );
}

async function changeWebsite({ website }: Subject, path: string, more: object = {}): Promise<void> {
  const { baseUrl } = server;
  const body = { id: website.websiteId, ...more };
  await done(send("POST", `/websites/${path}`, { baseUrl, apiKey: website.apiKey, body }));
}

async function resetPassword({ person: { email } }: Subject): Promise<void> {
  const { baseUrl } = server;
  await done(send("POST", "/auth/request-password-reset", { baseUrl, body: { email } }));
  const text = () => mail.mails.find(({ to }) => to.includes(email))?.text;
  await expect.poll(text).toBeDefined();
  const token = /#token=(\S+)/.exec(text() ?? "")?.[1];
  await done(send("POST", "/auth/reset-password", { baseUrl, body: { token, newPassword: "a new password of mine" } }));
}

async function enableSecondFactor({ person: { password }, browser }: Subject): Promise<void> {
  const { body } = await browser.call("/auth/second-factor/enable", { password });
  await done(browser.call("/auth/second-factor/verify", { code: totpCode((body as { totpUri: string }).totpUri) }));
}

/** A way in which credentials stop to suffice, for a stream that began with `headers`. */
type Way = {
  readonly name: string;
  readonly headers: (subject: Subject) => Record<string, string>;
  readonly before?: (subject: Subject) => Promise<void>;
  readonly act: (subject: Subject) => Promise<void>;
  readonly code: Code;
};

const gone = Code.Unauthenticated;
const tooLittle = Code.PermissionDenied;

const sessionWays: readonly Way[] = [
  { name: "signed out", headers: byCookie, act: ({ browser }) => done(browser.call("/auth/sign-out", {})), code: gone },
  {
    name: "session revoked from another one",
    headers: byCookie,
    act: async ({ browser, person }) => {
      const id = await sessionIdOf(browser);
      await done((await signedIn(person, server.baseUrl)).call("/auth/sessions/revoke", { id }));
    },
    code: gone,
  },
  {
    name: "password changed in another session",
    headers: byCookie,
    act: async ({ person }) => {
      const other = await signedIn(person, server.baseUrl);
      const body = { currentPassword: person.password, newPassword: "a new password of mine" };
      await done(other.call("/auth/change-password", body));
    },
    code: gone,
  },
  { name: "password reset", headers: byCookie, act: resetPassword, code: gone },
  { name: "second factor set up in this session", headers: byCookie, act: enableSecondFactor, code: gone },
  {
    name: "second factor removed in this session",
    headers: byCookie,
    before: enableSecondFactor,
    act: ({ browser, person: { password } }) => done(browser.call("/auth/second-factor/disable", { password })),
    code: gone,
  },
  {
    name: "session expired",
    headers: byCookie,
    act: async ({ person }) => {
      await inDatabase((database) =>
        database.query("UPDATE sessions SET expires_at = now() WHERE user_id = $1", [person.userId]),
      );
    },
    code: gone,
  },
  {
    name: "member removed",
    headers: byCookie,
    act: async (one) => changeMember(one, await colleague(one), "remove"),
    code: tooLittle,
  },
  {
    name: "organization left",
    headers: byCookie,
    act: ({ browser, website: { organizationId } }) =>
      done(browser.call("/auth/organization/leave", { organizationId })),
    code: tooLittle,
  },
  {
    name: "organization switched",
    headers: byCookie,
    act: ({ browser, otherOrganizationId }) =>
      done(browser.call("/auth/organization/switch", { organizationId: otherOrganizationId })),
    code: tooLittle,
  },
];

const keyWays: readonly Way[] = [
  { name: "key revoked", headers: byKey, act: (one) => changeKey(one, "revoke"), code: gone },
  { name: "key rotated", headers: byKey, act: (one) => changeKey(one, "rotate"), code: gone },
  { name: "key expired", headers: byKey, act: (one) => setKey(one, "expires_at = now()"), code: gone },
  { name: "key without its scopes", headers: byKey, act: (one) => setKey(one, "scopes = '{update}'"), code: tooLittle },
];

const limited: Way = {
  name: "person limited to other websites",
  headers: byCookie,
  before: (one) => setRole(one, "admin"),
  act: async (one) => {
    const other = await otherWebsite(one.website);
    await changeMember(one, await colleague(one), "limit", { websiteIds: [other] });
  },
  code: tooLittle,
};

const watchWays: readonly Way[] = [
  ...sessionWays,
  limited,
  {
    ...limited,
    name: "person without the right",
    act: async (one) => {
      const limits = { websiteIds: [one.website.websiteId], scopes: ["update"] };
      await changeMember(one, await colleague(one), "limit", limits);
    },
  },
  ...keyWays,
  {
    name: "key limited to other websites",
    headers: byKey,
    act: (one) => setKey(one, "website_ids = $2", [[randomUUID()]]),
    code: tooLittle,
  },
  {
    name: "without credentials: website made private",
    headers: byNothing,
    before: (one) => changeWebsite(one, "update", { publicAccess: true }),
    act: (one) => changeWebsite(one, "update", { publicAccess: false }),
    code: tooLittle,
  },
  {
    name: "without credentials: website deleted",
    headers: byNothing,
    before: (one) => changeWebsite(one, "update", { publicAccess: true }),
    act: (one) => changeWebsite(one, "delete"),
    code: tooLittle,
  },
];

/** The stream over gRPC and over Connect with HTTP/1.1. */
const transports = () => [
  createGrpcTransport({ baseUrl: server.baseUrl }),
  createConnectTransport({ baseUrl: server.baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
];

/** Reads a stream to its end; `begun` resolves with its first answer. */
function reading(stream: AsyncIterable<unknown>): { begun: Promise<void>; ended: Promise<void> } {
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  const ended = (async () => {
    for await (const _ of stream) resolve();
  })();
  ended.catch(reject);
  return { begun, ended };
}

async function expectEnd({ act, code }: Way, one: Subject, streams: readonly AsyncIterable<unknown>[]): Promise<void> {
  const readings = streams.map(reading);
  await Promise.all(readings.map(({ begun }) => begun));
  const ends = readings.map(({ ended }) => expect(ended).rejects.toMatchObject({ code }));
  await act(one);
  await Promise.all(ends);
}

describe("part 5: a stream ends once its credentials no longer suffice, without new events", () => {
  test.each(watchWays)("Watch: $name", async (way) => {
    const one = await subject();
    await way.before?.(one);
    const request = {
      websiteId: one.website.websiteId,
      query: { preset: "today", parameters: [{ name: "summary_metrics" }] },
    };
    const headers = way.headers(one);
    await expectEnd(
      way,
      one,
      transports().map((transport) => createClient(QueryService, transport).watch(request, { headers })),
    );
  });

  test("Watch of an organization: organization switched", async () => {
    const one = await subject();
    const way = sessionWays.find(({ name }) => name === "organization switched");
    if (way === undefined) throw new Error("there is no such way");
    const { organizationId } = one.website;
    const request = { organizationId, query: { preset: "today", parameters: [{ name: "summary_metrics" }] } };
    const headers = byCookie(one);
    const streams = transports().map((transport) => createClient(QueryService, transport).watch(request, { headers }));
    await expectEnd(way, one, streams);
  });

  const lowered: Way = {
    name: "role lowered",
    headers: byCookie,
    act: async (one) => changeMember(one, await colleague(one), "change-role", { role: "viewer" }),
    code: tooLittle,
  };
  const others = ["member removed", "organization left", "organization switched", limited.name];
  const deletionWays = [...sessionWays, ...keyWays, lowered, limited].map((way) =>
    // The session goes on where there is no such deletion.
    others.includes(way.name) ? { ...way, code: Code.NotFound } : way,
  );
  test.each(deletionWays)("WatchDeletion: $name", async (way) => {
    const one = await subject();
    await way.before?.(one);
    const deletionId = await addDeletion(one.website);
    const headers = way.headers(one);
    try {
      await expectEnd(
        way,
        one,
        transports().map((transport) =>
          createClient(DataService, transport).watchDeletion({ deletionId }, { headers }),
        ),
      );
    } finally {
      await inDatabase((database) =>
        database.query(
          "UPDATE deletions SET status = 'completed', phase = 'done', completed_at = now() WHERE id = $1",
          [deletionId],
        ),
      );
    }
  });
});

/** A deletion that has begun and makes no progress. */
async function addDeletion({ websiteId, organizationId }: TestWebsite): Promise<string> {
  const id = randomUUID();
  await inDatabase((database) =>
    database.query(
      `INSERT INTO deletions (id, kind, website_id, organization_id, start_date, end_date, time_zone, from_ms, until_ms, data_types,
         deleted, request_id, started_at)
       VALUES ($1, 'request', $2, $3, '2015-01-01', '2015-01-02', 'UTC', 0, 1, '{events}', '{}', 'test', now())`,
      [id, websiteId, organizationId],
    ),
  );
  return id;
}
