import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { readPartitionDirectory } from "../../../src/store/questdb/partitionNames.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { countsOf, dayOf, receiptOf, shown, startErasure } from "../../kit/calls/erasureCalls.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { holdPartition } from "../../kit/stores/heldPartition.ts";
import { dayMs, storedRow } from "../../kit/stores/retentionRows.ts";
import { storedWorkflowId } from "../../kit/stores/storedWorkflowId.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

vi.setConfig({ testTimeout: 180_000 });

const { kind, temporalAddress, questdbs } = inject("lookout");
const { signal } = new AbortController();
let questdb: QuestdbReader;
let rows: ReturnType<typeof openRowWriter>;
let connection: Connection;
beforeAll(async () => {
  questdb = openQuestdb();
  rows = openRowWriter();
  connection = await Connection.connect({ address: temporalAddress });
});
afterAll(async () => {
  await rows.close();
  await questdb.close();
  await connection.close();
});

/** What the running activities of an erasure wait for, by their heartbeat details. */
async function waitsFor(deletionId: string): Promise<string> {
  const workflowId = await storedWorkflowId("deletion", deletionId);
  const { raw } = await new Client({ connection }).workflow.getHandle(workflowId).describe();
  return (raw.pendingActivities ?? [])
    .flatMap(({ heartbeatDetails }) => heartbeatDetails?.payloads ?? [])
    .map(({ data }) => Buffer.from(data ?? []).toString())
    .join();
}

test.for([
  { partition: "rewritten", weeksAgo: 60, alsoOthers: true },
  { partition: "dropped", weeksAgo: 62, alsoOthers: false },
])(
  "4.17: gone means that the weekly partition of a $partition check is gone from disk",
  async ({ weeksAgo, alsoOthers }, { skip }) => {
    skip(
      kind === "scale",
      "of a QuestDB on another machine the files are not seen: an erasure waits as long as its settings allow",
    );
    const [site, other] = await Promise.all([createWebsite(), createWebsite()]);
    const tsUs = (Date.now() - weeksAgo * 7 * dayMs) * 1_000;
    await rows.write([storedRow({ websiteId: site.websiteId, kind: "uptime", tsUs })]);
    await whenApplied(questdb, ["uptime_checks"], signal);
    const [found] = await questdb.read(
      "SELECT name FROM table_partitions('uptime_checks') WHERE minTimestamp <= $1 AND maxTimestamp >= $1",
      [tsUs],
    );
    const week = String(found?.["name"]);
    const [table] = await questdb.read(
      "SELECT directoryName name FROM tables() WHERE table_name = 'uptime_checks'",
      [],
    );
    const directories = async () => {
      const names = await readdir(join(String(questdbs[0]?.root), "db", String(table?.["name"])));
      return names.filter((name) => readPartitionDirectory(name)?.partition === week);
    };
    const [before] = await directories();
    expect(before).toMatch(/^\d{4}-W\d{2}/);

    const release = await holdPartition("uptime_checks", `website_id = '${site.websiteId}'`);
    if (alsoOthers) {
      // A row before an existing one makes QuestDB rewrite the partition in a new directory.
      await rows.write([storedRow({ websiteId: other.websiteId, kind: "uptime", tsUs: tsUs - 1_000_000 })]);
      await whenApplied(questdb, ["uptime_checks"], signal);
    }
    const day = dayOf(tsUs / 1_000);
    const { deletion_id: id } = await startErasure(site, { start_date: day, end_date: day, data_types: ["uptime"] });
    await expect
      .poll(async () => [(await shown(site, id)).status, await waitsFor(id)].join(" "), { timeout: 100_000 })
      .toMatch(/completed|directories of uptime_checks/);
    expect(await directories()).toContain(before);
    expect((await shown(site, id)).status).toBe("processing");
    release();
    expect(countsOf(await receiptOf(site, id))).toMatchObject({ uptime_checks: [1, 0] });
    expect(await directories()).toEqual(alsoOthers ? [expect.not.stringMatching(`^${before}$`)] : []);
  },
);
