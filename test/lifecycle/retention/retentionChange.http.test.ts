import { randomUUID } from "node:crypto";
import { Client, Connection } from "@temporalio/client";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { createPerson, signedIn } from "../../kit/calls/person.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { dayMs, readRows, shown, storedRow, type TestRow } from "../../kit/stores/retentionRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

const lookout = inject("lookout");
const signal = new AbortController().signal;
const hasRetention = { rawEventsDays: 90, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 };

let questdb: QuestdbReader;
let postgres: pg.Pool;
let rows: ReturnType<typeof openRowWriter>;
/** Makes shorter periods apply almost immediately. */
let hasty: OwnServer;
/** An API process without Temporal. */
let alone: OwnServer;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  questdb = openQuestdb();
  postgres = new pg.Pool({ connectionString: lookout.databaseUrl, max: 2 });
  rows = openRowWriter();
  hasty = await startOwnServer(handlers, {}, { retention: { cancellableMs: 1_500 } });
  alone = await startOwnServer(handlers, { TEMPORAL_ADDRESS: "127.0.0.1:1" }, { retention: { cancellableMs: 100 } });
  connection = await Connection.connect({ address: lookout.temporalAddress });
  temporal = new Client({ connection });
});

afterAll(async () => {
  await Promise.all([hasty?.close(), alone?.close(), rows.close()]);
  await Promise.all([questdb.close(), postgres.end(), connection?.close()]);
});

type Shown = {
  retention: Record<string, number>;
  pendingRetention: {
    retention: Record<string, number>;
    effectiveAt: string;
    wouldErase: Record<string, number>;
  } | null;
};

async function call(path: string, body: object, { apiKey }: TestWebsite, baseUrl?: string): Promise<Shown> {
  const answer = await send("POST", `/websites/${path}`, {
    body,
    apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as Shown;
}

const setRetention = (website: TestWebsite, retention: Record<string, number>, baseUrl?: string) =>
  call("retention", { id: website.websiteId, retention }, website, baseUrl);
const get = (website: TestWebsite) => call("get", { id: website.websiteId }, website);
const cancel = (website: TestWebsite) => call("retention/cancel", { id: website.websiteId }, website);

const noonDaysAgo = (days: number) => new Date(Date.now() - days * dayMs).setUTCHours(12, 0, 0, 0);

/** Rows of a website, each with its kind and its age in days. */
async function store(
  website: TestWebsite,
  ages: readonly (readonly [kind: string, days: number])[],
): Promise<TestRow[]> {
  const { websiteId } = website;
  const made = ages.map(([kind, days]) => ({ websiteId, kind, tsUs: noonDaysAgo(days) * 1_000 }));
  await rows.write(made.map(storedRow));
  for (const { table } of made.map(storedRow)) await whenApplied(questdb, [table], signal);
  return made;
}

const left = async (...websites: TestWebsite[]) =>
  await readRows(
    questdb,
    websites.map(({ websiteId }) => websiteId),
  );

const workflow = ({ websiteId }: TestWebsite) => temporal.workflow.getHandle(`retention-change/${websiteId}`);

const ages = [
  ["events", 29],
  ["events", 31],
  ["events", 80],
  ["custom_events", 80],
  ["sessions", 80],
  ["outgoing_links", 40],
  ["performance", 40],
  ["aggregated", 80],
] as const;

describe("8 shorter periods", () => {
  it("wait for a day, show what they would erase, and can be cancelled", async () => {
    const website = await createWebsite();
    await store(website, ages);
    const beforeMs = Date.now();
    const ask = { id: website.websiteId, retention: { rawEventsDays: 30, aggregatedDays: 800 } };
    const preview = await send("POST", "/websites/retention/preview", { apiKey: website.apiKey, body: ask });
    const longer = { ...ask, retention: { rawEventsDays: 100 } };
    const nothing = await send("POST", "/websites/retention/preview", { apiKey: website.apiKey, body: longer });
    expect(nothing.body).toEqual({
      retention: { ...hasRetention, rawEventsDays: 100 },
      effectiveAt: null,
      wouldErase: {},
    });
    expect((await get(website)).pendingRetention).toBeNull();
    const shorter = await setRetention(website, { rawEventsDays: 30 });
    expect(shorter).toMatchObject({
      retention: hasRetention,
      pendingRetention: { retention: { ...hasRetention, rawEventsDays: 30 }, effectiveAt: expect.any(String) },
    });
    expect(shorter.pendingRetention?.wouldErase).toEqual({
      events: 2,
      sessions: 1,
      outgoing_links: 1,
      errors: 0,
      llm_calls: 0,
    });
    expect(preview.body).toEqual({
      retention: { ...hasRetention, rawEventsDays: 30, aggregatedDays: 800 },
      effectiveAt: expect.stringMatching(/Z$/),
      wouldErase: shorter.pendingRetention?.wouldErase,
    });
    const effectiveMs = Date.parse(shorter.pendingRetention?.effectiveAt ?? "");
    expect(effectiveMs - dayMs).toBeGreaterThanOrEqual(beforeMs);
    expect(effectiveMs - dayMs).toBeLessThanOrEqual(Date.now());
    expect((await get(website)).pendingRetention).toEqual(shorter.pendingRetention);
    expect(await workflow(website).describe()).toMatchObject({ status: { name: "RUNNING" } });

    expect(await cancel(website)).toMatchObject({ retention: hasRetention, pendingRetention: null });
    expect(await cancel(website)).toMatchObject({ retention: hasRetention, pendingRetention: null });
    expect(await workflow(website).result()).toEqual({});
    expect(await left(website)).toHaveLength(ages.length);
    const audit = await send("POST", "/audit/list", { apiKey: website.apiKey, body: { objectId: website.websiteId } });
    expect(audit.body).toMatchObject({
      entries: [
        {
          action: "website.retention.cancel",
          before: { pendingRetention: { rawEventsDays: 30 } },
          after: { pendingRetention: null },
        },
        {
          action: "website.retention",
          before: { pendingRetention: null },
          after: { pendingRetention: { rawEventsDays: 30 } },
        },
      ],
    });
  });

  it("5 need the scope delete:data besides update, as they erase data; longer ones and cancelling do not", async () => {
    const website = await createWebsite();
    const { organizationId, websiteId } = website;
    const key = await createKey({ organizationId, scopes: ["update", "read:data", "delete"] });
    const member = await signedIn(await createPerson({ organizationId, role: "member" }));
    const admin = await signedIn(await createPerson({ organizationId, role: "admin" }));
    const callers = {
      "a key with update": (path: string, body: object) => send("POST", path, { apiKey: key, body }),
      "a member": (path: string, body: object) => member.call(path, body),
    };
    for (const [name, ask] of Object.entries(callers)) {
      const change = (retention: object) => ask("/websites/retention", { id: websiteId, retention });
      const denied = { status: 403, body: { code: "ACCESS_DENIED", error: expect.stringContaining("delete:data") } };
      expect(await change({ rawEventsDays: 1 }), name).toMatchObject(denied);
      // A longer period in the same request does not apply either.
      expect(await change({ aggregatedDays: 3_000, performanceDays: 89 }), name).toMatchObject(denied);
      expect(await get(website), name).toMatchObject({ retention: hasRetention, pendingRetention: null });
      expect(await change({ customEventsDays: 90 }), name).toMatchObject({ status: 200 });
      await setRetention(website, { rawEventsDays: 60 });
      expect(await change({ rawEventsDays: 30 }), name).toMatchObject(denied);
      expect(await ask("/websites/retention/cancel", { id: websiteId }), name).toMatchObject({
        status: 200,
        body: { pendingRetention: null },
      });
    }
    expect(await admin.call("/websites/retention", { id: websiteId, retention: { rawEventsDays: 60 } })).toMatchObject({
      status: 200,
      body: { pendingRetention: { retention: { rawEventsDays: 60 } } },
    });
  });

  it("are replaced by later ones; longer periods apply at once and cancel shorter ones", async () => {
    const website = await createWebsite();
    await store(website, ages);
    const first = await setRetention(website, { rawEventsDays: 30, performanceDays: 60 });
    expect(first.pendingRetention?.wouldErase).toMatchObject({ events: 2, performance: 0 });
    // A repeated request is no new change.
    expect((await setRetention(website, { rawEventsDays: 30 })).pendingRetention).toEqual(first.pendingRetention);
    const second = await setRetention(website, { rawEventsDays: 60, customEventsDays: 365 });
    expect(second.retention).toEqual({ ...hasRetention, customEventsDays: 365 });
    expect(second.pendingRetention).toMatchObject({
      retention: { rawEventsDays: 60, performanceDays: 60, customEventsDays: 365, aggregatedDays: 730 },
      wouldErase: { events: 1, sessions: 1, outgoing_links: 0, performance: 0 },
    });
    const third = await setRetention(website, { rawEventsDays: 180 });
    expect(third).toMatchObject({
      retention: { ...hasRetention, rawEventsDays: 180, customEventsDays: 365 },
      pendingRetention: {
        retention: { rawEventsDays: 180, performanceDays: 60 },
        wouldErase: { performance: 0 },
        effectiveAt: second.pendingRetention?.effectiveAt,
      },
    });
    expect(Object.keys(third.pendingRetention?.wouldErase ?? {})).toEqual(["performance"]);
    // The same length as now: nothing changes.
    expect((await setRetention(website, { performanceDays: 90 })).pendingRetention).toBeNull();
  });

  it("apply when they are due: older rows are erased, other websites keep theirs, and the run is recorded", async () => {
    const website = await createWebsite();
    const other = await createWebsite();
    const made = await store(website, ages);
    const kept = await store(other, ages);
    await setRetention(website, { rawEventsDays: 30, customEventsDays: 90 }, hasty.baseUrl);
    await workflow(website).result();
    const gone = ["events 80", "events 31", "sessions 80", "outgoing_links 40"];
    const isGone = ({ kind, tsUs }: TestRow) => gone.some((text) => text === `${kind} ${ageOf(tsUs)}`);
    const remaining = [...made.filter((row) => !isGone(row)), ...kept];
    expect(await left(website, other)).toEqual(remaining.map(shown).sort());
    expect(await get(website)).toMatchObject({
      retention: { ...hasRetention, rawEventsDays: 30 },
      pendingRetention: null,
    });
    // A daily run that another test starts at this moment may erase some of the rows first; it is listed then.
    const erased = async () => {
      const body = { id: website.websiteId };
      const answer = await send("POST", "/websites/retention/runs", { apiKey: website.apiKey, body });
      const total: Record<string, number> = {};
      for (const run of (answer.body as { runs: { erased: Record<string, number> }[] }).runs)
        for (const [kind, rows] of Object.entries(run.erased)) total[kind] = (total[kind] ?? 0) + rows;
      return total;
    };
    await expect.poll(erased).toEqual({ events: 2, sessions: 1, outgoing_links: 1 });
    const { rows: entries } = await postgres.query(
      "SELECT action, actor_type, after FROM audit_log WHERE object_id = $1 ORDER BY id DESC LIMIT 1",
      [website.websiteId],
    );
    expect(entries).toEqual([
      { action: "website.retention.hold", actor_type: "service", after: { rawEventsDays: 30, pendingRetention: null } },
    ]);
  });

  it("apply soon after Temporal is back if it was unavailable when they were requested", async () => {
    const website = await createWebsite();
    await store(website, [["events", 40]]);
    const changed = await setRetention(website, { rawEventsDays: 30 }, alone.baseUrl);
    expect(changed.pendingRetention?.wouldErase).toMatchObject({ events: 1 });
    // Again and again, as its Schedule does: one run leaves to the next what a slow Temporal does not take within 2 s.
    const reconciled = async () => {
      const workflowId = `retention-reconciliation/${randomUUID()}`;
      await temporal.workflow.execute("retentionReconciliation", { workflowId, taskQueue: "lookout" });
      return await get(website);
    };
    // A daily run that is started meanwhile may come first, and then no workflow of the change is needed.
    await expect.poll(reconciled, { interval: 1_000 }).toMatchObject({ retention: { rawEventsDays: 30 } });
    await expect.poll(() => left(website), { timeout: 100_000 }).toEqual([]);
  });

  it("are refused with SERVICE_UNAVAILABLE and change nothing while the affected rows cannot be counted", async () => {
    const website = await createWebsite();
    const blind = await startOwnServer(handlers, { QUESTDB_PG: "postgres://admin:quest@127.0.0.1:1/qdb" });
    const ask = (rawEventsDays: number) =>
      send("POST", "/websites/retention", {
        apiKey: website.apiKey,
        body: { id: website.websiteId, retention: { rawEventsDays } },
        baseUrl: blind.baseUrl,
      });
    expect(await ask(30)).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(await ask(180)).toMatchObject({ status: 200, body: { retention: { rawEventsDays: 180 } } });
    await blind.close();
    expect(await get(website)).toMatchObject({ retention: { rawEventsDays: 180 }, pendingRetention: null });
  });
});

const ageOf = (tsUs: number) => Math.floor((noonDaysAgo(0) - tsUs / 1_000) / dayMs);

it("8 the daily run is a Schedule at 00:00 UTC that catches up on missed runs with one", async () => {
  const { spec, policies } = await temporal.schedule.getHandle("retention").describe();
  expect(spec).toMatchObject({ calendars: [{ hour: [{ start: 0, end: 0 }], minute: [{ start: 0, end: 0 }] }] });
  expect(policies).toMatchObject({ overlap: "BUFFER_ONE", catchupWindow: dayMs });
});
