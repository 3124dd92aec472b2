import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { BadRequestSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { LinkService } from "../../src/gen/lookout/v1/links_pb.ts";
import { deleteOldClaims } from "../../src/store/write/claimExpiry.ts";
import { type JsonAnswer, send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { creations, ownerOf } from "./creations.ts";

let website: TestWebsite;
let second: ApiProcess;

beforeAll(async () => {
  [website, second] = await Promise.all([createWebsite(), startApiProcess({})]);
});

afterAll(() => second?.stop());

const target = { targetUrl: "https://example.com/" };

/** Creates a link of the website, with the key in the header. */
function createLink(key: string, body: object = {}, baseUrl?: string, apiKey = website.apiKey): Promise<JsonAnswer> {
  return send("POST", "/links/create", {
    body: { websiteId: website.websiteId, ...target, ...body },
    apiKey,
    headers: { "idempotency-key": key },
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
}

const isReplayed = ({ headers }: JsonAnswer) => headers.get("idempotency-replayed");
const idOf = ({ body }: JsonAnswer) => (body as { id?: string }).id;

/** How many links lead to an address. */
function linksTo(address: string): Promise<number> {
  return inDatabase(async (database) => {
    const { rows } = await database.query("SELECT count(*)::int AS links FROM links WHERE target_url = $1", [address]);
    return rows[0].links;
  });
}

/** An address that no other test uses. */
const ownAddress = () => `https://example.com/${randomUUID()}`;

test("every call that takes a key answers the same again, whichever API is asked", async () => {
  const calls = await creations(website);
  const owner = await ownerOf(website);
  for (const { rpc, verb, path, body, byPerson } of calls) {
    const headers = { "idempotency-key": randomUUID() };
    const call = (baseUrl?: string) =>
      byPerson === true
        ? owner.call(path, body, headers)
        : send(verb, path, { body, headers, apiKey: website.apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
    const first = await call();
    expect(first.status, `${rpc}: ${JSON.stringify(first.body)}`).toBe(200);
    expect(isReplayed(first), rpc).toBeNull();
    const again = await call(second.baseUrl);
    expect(again.status, `${rpc}: ${JSON.stringify(again.body)}`).toBe(200);
    expect(again.body, rpc).toEqual(first.body);
    expect(isReplayed(again), rpc).toBe("true");
  }
  const taking = services.flatMap(({ name, methods }) =>
    methods.filter(({ input }) => "idempotencyKey" in input.field).map((method) => `${name}.${method.name}`),
  );
  expect(calls.map(({ rpc }) => rpc).sort()).toEqual(taking.sort());
});

test.each([
  ["with a generated slug", {}],
  ["with a slug that is taken by the first of them", { slug: `once-${randomUUID().slice(0, 8)}` }],
])("ten calls at once to two APIs create one link %s, and who is too early is told to come again", async (_, slug) => {
  const key = randomUUID();
  const body = { targetUrl: ownAddress(), ...slug };
  const addresses = [inject("lookout").baseUrl, second.baseUrl];
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => createLink(key, body, addresses[at % 2])));
  expect(await linksTo(body.targetUrl)).toBe(1);
  expect(answers.filter((answer) => answer.status === 200 && isReplayed(answer) === null)).toHaveLength(1);
  const early = answers.filter(({ status }) => status !== 200);
  for (const answer of early)
    expect([answer.status, answer.headers.get("retry-after"), answer.body]).toMatchObject([
      409,
      "1",
      { code: "CONFLICT" },
    ]);
  const ids = new Set(answers.filter(({ status }) => status === 200).map(idOf));
  const late = await createLink(key, body);
  expect(ids).toEqual(new Set([idOf(late)]));
  expect(isReplayed(late)).toBe("true");
});

test("a call while the first one works is a conflict with a time to come again", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const { websiteId, apiKey } = website;
  const body = { websiteId, url: "https://example.com/", interval: "1h" };
  const call = () => send("POST", "/uptime/monitors/create", { body, apiKey, headers });
  const [first, meanwhile] = await inDatabase(async (database) => {
    await database.query("BEGIN");
    await database.query("SELECT 1 FROM websites WHERE id = $1 FOR UPDATE", [websiteId]);
    const first = call();
    const waiting = async () =>
      (await database.query("SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"))
        .rowCount;
    await expect.poll(waiting).toBe(1);
    const meanwhile = await call();
    await database.query("COMMIT");
    return [await first, meanwhile];
  });
  expect(meanwhile).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  expect(meanwhile.headers.get("retry-after")).toBe("1");
  expect(first.status).toBe(200);
  expect((await call()).body).toEqual(first.body);
});

test("a call whose answer is lost is repeated and creates nothing more", async () => {
  const key = randomUUID();
  const body = { websiteId: website.websiteId, targetUrl: ownAddress() };
  const lose = () =>
    new Promise<void>((resolve) => {
      const lost = request(`${second.baseUrl}/links/create`, {
        method: "POST",
        headers: { "x-api-key": website.apiKey, "content-type": "application/json", "idempotency-key": key },
      });
      lost.on("error", () => resolve());
      lost.end(JSON.stringify(body), () => lost.destroy(new Error("lost")));
    });
  await Promise.all(Array.from({ length: 3 }, lose));
  await expect.poll(async () => (await createLink(key, body)).status).toBe(200);
  await expect.poll(async () => isReplayed(await createLink(key, body, second.baseUrl))).toBe("true");
  expect(await linksTo(body.targetUrl)).toBe(1);
});

test("a key with another request is an error that names it", async () => {
  const key = randomUUID();
  const first = await createLink(key, { name: "A" });
  expect(await createLink(key, { name: "B" })).toMatchObject({
    status: 422,
    body: {
      code: "VALIDATION_ERROR",
      details: [{ field: "idempotencyKey", message: expect.stringContaining("another request") }],
    },
  });
  expect(await createLink(key, { name: "A" })).toMatchObject({ status: 200, body: first.body });
  const links = createClient(LinkService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const error = await links
    .createLink({ ...target, idempotencyKey: key }, { headers: { "x-api-key": website.apiKey } })
    .catch((thrown: unknown) => ConnectError.from(thrown));
  if (!(error instanceof ConnectError)) throw new Error("the call should have failed");
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.findDetails(BadRequestSchema)[0]?.fieldViolations).toMatchObject([{ field: "idempotencyKey" }]);
});

test("header and field are the same key, over JSON and gRPC", async () => {
  const key = randomUUID();
  const { websiteId, apiKey } = website;
  const first = await createLink(`"${key}"`, { idempotencyKey: key });
  expect(first.status).toBe(200);
  const asField = await send("POST", "/links/create", { body: { websiteId, ...target, idempotencyKey: key }, apiKey });
  expect([idOf(asField), isReplayed(asField)]).toEqual([idOf(first), "true"]);
  let replayed: string | null = null;
  const links = createClient(LinkService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const { link } = await links.createLink(
    { websiteId, ...target, idempotencyKey: key },
    {
      headers: { "x-api-key": apiKey },
      onHeader: (headers) => {
        replayed = headers.get("idempotency-replayed");
      },
    },
  );
  expect([link?.id, replayed]).toEqual([idOf(first), "true"]);
  expect(await createLink(key, { idempotencyKey: "another" })).toMatchObject({
    status: 400,
    body: { details: [{ field: "idempotencyKey", message: expect.stringContaining("differs from the header") }] },
  });
});

test.each(["", "ä".repeat(3), "k".repeat(256)])("%j is no key", async (idempotencyKey) => {
  const answer = await send("POST", "/links/create", { body: { ...target, idempotencyKey }, apiKey: website.apiKey });
  expect(answer).toMatchObject({ status: 400, body: { details: [{ field: "idempotencyKey" }] } });
  if (idempotencyKey.length === 256)
    expect(await createLink(idempotencyKey)).toMatchObject({
      status: 400,
      body: { details: [{ field: "Idempotency-Key" }] },
    });
});

test("a key is its caller's and its call's, and a call that failed has used none", async () => {
  const key = randomUUID();
  expect((await createLink(key, { slug: "no spaces" })).status).toBe(400);
  const first = await createLink(key);
  const other = await createLink(key, {}, undefined, await createKey({ organizationId: website.organizationId }));
  const otherCall = await send("POST", "/websites/create", {
    body: { name: "Shop", domain: "shop.example.com" },
    apiKey: website.apiKey,
    headers: { "idempotency-key": key },
  });
  for (const answer of [first, other, otherCall]) expect([answer.status, isReplayed(answer)]).toEqual([200, null]);
  expect(idOf(other)).not.toBe(idOf(first));
});

test("after 24 hours a key is a new one, and the old one is deleted", async () => {
  const keys = [randomUUID(), randomUUID()] as const;
  const [first] = await Promise.all(keys.map((key) => createLink(key)));
  await inDatabase(async (database) => {
    const mine = "answer IN (SELECT answer FROM idempotency_keys ORDER BY kept_at DESC LIMIT 2)";
    await database.query(`UPDATE idempotency_keys SET kept_at = now() - interval '24 hours 1 second' WHERE ${mine}`);
  });
  const again = await createLink(keys[0]);
  expect([again.status, isReplayed(again)]).toEqual([200, null]);
  expect(idOf(again)).not.toBe(idOf(first as JsonAnswer));
  expect(isReplayed(await createLink(keys[0]))).toBe("true");
  const old = () =>
    inDatabase(
      async (database) =>
        (await database.query("SELECT 1 FROM idempotency_keys WHERE kept_at < now() - interval '24 hours'")).rowCount,
    );
  expect(await old()).toBe(1);
  const stop = new AbortController();
  await inDatabase(async (database) => {
    const pool = { connect: () => Promise.resolve(Object.assign(database, { release: () => undefined })) };
    const deleting = deleteOldClaims(pool as never, { warn: () => undefined, debug: () => undefined }, stop.signal);
    await expect.poll(old).toBe(0);
    stop.abort();
    await deleting;
  });
});

test("a secret that is shown once is shown again to a repeat, and stored only encrypted", async () => {
  const call = () =>
    send("POST", "/api-keys/create", {
      body: { name: "Program", scopes: ["read:data"] },
      apiKey: website.apiKey,
      headers: { "idempotency-key": "a key that can be guessed" },
    });
  const first = await call();
  const { key } = first.body as { key: string };
  expect((await call()).body).toEqual(first.body);
  expect((await send("GET", "/v1/query/websites", { apiKey: key })).status).toBe(200);
  const stored = await inDatabase(async (database) => (await database.query("SELECT * FROM idempotency_keys")).rows);
  expect(stored.length).toBeGreaterThan(0);
  for (const row of stored)
    expect(row).toEqual({ id: expect.any(String), answer: expect.stringMatching(/^lk1\./), kept_at: expect.any(Date) });
});
