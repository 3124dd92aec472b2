import type { Client } from "@temporalio/client";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../kit/stack/workerProcess.ts";

const lookout = inject("lookout");

let client: Client;
let removeNamespace: () => Promise<void>;
let worker: WorkerProcess;
let postgres: pg.Pool;

beforeAll(async () => {
  const made = await makeNamespace(lookout.temporalAddress);
  client = made.client;
  removeNamespace = made.remove;
  postgres = new pg.Pool({ connectionString: lookout.databaseUrl, max: 1 });
  const started = startWorker(lookout, made.namespace);
  worker = started;
  await started.isReady;
});

afterAll(async () => {
  await stopWorker(worker, "SIGTERM");
  await Promise.all([removeNamespace?.(), postgres.end()]);
});

const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

describe("1: the salts of earlier days", () => {
  it("are destroyed by the Schedule, even if no API requests a salt", async () => {
    const schedule = client.schedule.getHandle("salt-rotation");
    const isIdle = async () => {
      const { info } = await schedule.describe();
      return info.recentActions.length > 0 && info.runningActions.length === 0;
    };
    // A new Schedule runs once immediately.
    await expect.poll(isIdle).toBe(true);
    const yesterday = dayOf(Date.now() - 86_400_000);
    await postgres.query("TRUNCATE daily_salts");
    await postgres.query("INSERT INTO daily_salts (day, salt) VALUES ($1, $2)", [yesterday, Buffer.alloc(32, 7)]);

    await schedule.trigger();
    const days = async () => (await postgres.query("SELECT day::text FROM daily_salts")).rows.map(({ day }) => day);
    await expect.poll(days).not.toContain(yesterday);
    expect(await days()).toEqual([dayOf(Date.now())]);
  });

  it("are due each midnight UTC", async () => {
    const { spec } = await client.schedule.getHandle("salt-rotation").describe();
    expect(spec).toMatchObject({ calendars: [{ hour: [{ start: 0 }], minute: [{ start: 0 }] }] });
  });
});
