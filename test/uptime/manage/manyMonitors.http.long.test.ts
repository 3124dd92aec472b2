import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { TemporalConnection } from "../../../src/store/temporal/temporalConnection.ts";
import { slotAfter } from "../../../src/uptime/state/slots.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { sized } from "../../kit/random/sized.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { storedWorkflowId } from "../../kit/stores/storedWorkflowId.ts";

const count = sized(400, 1_000);
/** Far shorter than their interval. */
const firstWithinMs = 300_000;
const dayMs = 86_400_000;

let website: TestWebsite;
let temporal: TemporalConnection;
/** `answeredMs` is when the answer was there, Unix ms: the first slot was chosen before. */
let made: readonly { id: string; createdAt: string; answeredMs: number }[] = [];

beforeAll(async () => {
  website = await createWebsite();
  temporal = new TemporalConnection(readConfig({ TEMPORAL_ADDRESS: inject("lookout").temporalAddress }).temporal);
});
afterAll(async () => {
  // They would be checked during all later tests.
  await inTurns(made, ({ id }) => post("monitors/delete", { id }));
  await temporal?.close();
}, 600_000);

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await send("POST", `/uptime/${path}`, { body, apiKey: website.apiKey });
  expect(answer.status).toBe(200);
  return answer.body as T;
}

/** With 25 of them in flight. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const takeNext = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 25 }, takeNext));
  return results;
}

describe(`3: ${count} monitors created through the API in one go`, { timeout: 400_000 }, () => {
  test("all run, and their first slots are spread over five minutes", async () => {
    made = await inTurns(
      Array.from({ length: count }, (_, index) => `https://shop-${index}.invalid/`),
      async (url) => {
        const body = { websiteId: website.websiteId, url, interval: "24h" };
        const created = await post<{ id: string; createdAt: string }>("monitors/create", body);
        return { ...created, answeredMs: Date.now() };
      },
    );
    const query = `LookoutWebsite = '${website.websiteId}' AND LookoutKind = 'monitor' AND ExecutionStatus = 'Running'`;
    const running = async () => {
      const ids: string[] = [];
      for await (const { workflowId } of temporal.client.workflow.list({ query, pageSize: 1_000 }))
        ids.push(workflowId);
      return ids.sort();
    };
    const { rows: stored } = await inDatabase((database) =>
      database.query<{ workflow_id: string }>("SELECT workflow_id FROM monitors WHERE website_id = $1", [
        website.websiteId,
      ]),
    );
    const wanted = stored.map(({ workflow_id }) => workflow_id).sort();
    expect(wanted.length).toBe(count);
    await expect.poll(running, { timeout: 240_000, interval: 1_000 }).toEqual(wanted);

    const { rows } = await inDatabase((database) =>
      database.query<{ id: string; created_ms: string; interval_ms: string; phase_ms: string }>(
        `SELECT id, (extract(epoch FROM created_at) * 1000)::bigint AS created_ms, interval_ms, phase_ms
         FROM monitors WHERE website_id = $1`,
        [website.websiteId],
      ),
    );
    const answeredMs = new Map(made.map((monitor) => [monitor.id, monitor.answeredMs]));
    const twelfths = Map.groupBy(rows, ({ id, created_ms, interval_ms, phase_ms }) => {
      const slotMs = slotAfter(Number(created_ms), Number(interval_ms), Number(phase_ms));
      expect(slotMs - Number(answeredMs.get(id))).toBeLessThanOrEqual(firstWithinMs);
      // The slot is chosen after the creation began, on a busy machine by a second and more.
      return Math.min(11, Math.floor((12 * (slotMs - Number(created_ms))) / firstWithinMs));
    });
    expect([...twelfths.keys()].sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, at) => at));
    for (const monitors of twelfths.values()) expect(monitors.length).toBeLessThan(count / 6);
  });

  test("each workflow waits for the slot that the API shows, within five minutes of the creation", async () => {
    const some = made.filter((_, index) => index % 20 === 0);
    await inTurns(some, async ({ id, createdAt, answeredMs }) => {
      const { nextCheckAt } = await post<{ nextCheckAt: string }>("status", { monitorId: id });
      const details = await detailsOf(id);
      if (!details.includes("| last check | none yet |")) return;
      const waitsMs = Date.parse(nextCheckAt) - Date.parse(createdAt);
      // On a busy machine the first slot may come due between the two answers: the API then shows the one after it.
      if (waitsMs > dayMs && waitsMs - dayMs <= Date.now() - Date.parse(createdAt)) return;
      expect(waitsMs > 0 && Date.parse(nextCheckAt) - answeredMs <= firstWithinMs).toBe(true);
      expect(details).toContain(`| next check | ${nextCheckAt} |`);
    });
  });
});

/** What the Temporal UI shows of a monitor. */
async function detailsOf(monitorId: string): Promise<string> {
  const handle = temporal.client.workflow.getHandle(await storedWorkflowId("monitor", monitorId));
  // On a busy machine a task of the workflow may have failed, and is about to be tried again.
  const { currentDetails } = await vi.waitFor(
    () => handle.query<{ currentDetails?: string }>("__temporal_workflow_metadata"),
    { timeout: 200_000, interval: 1_000 },
  );
  return currentDetails ?? "";
}
