import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Client } from "@temporalio/client";
import { expect, inject, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { TemporalConnection } from "../src/store/temporal/temporalConnection.ts";
import { planTemporal } from "../stack/provision/temporal.ts";
import { docsText, runDocsLines } from "./kit/calls/docsLines.ts";

test("the operator's command starts a daily aggregation, which completes", async () => {
  const { temporalAddress } = inject("lookout");
  const path = [dirname(await temporalCli()), process.env.PATH].join(delimiter);
  const startedAt = new Date(Date.now() - 1_000).toISOString();
  const env = { PATH: path, TEMPORAL_ADDRESS: temporalAddress };
  await runDocsLines("docs/operate/workflows.md", "## Schedules", env);
  await withClient(async (client) => {
    const query = `LookoutDay = "2026-11-20" AND WorkflowType = "dailyAggregation" AND StartTime > "${startedAt}"`;
    await expect
      .poll(() => client.workflow.count(`${query} AND ExecutionStatus = "Completed"`), { timeout: 60_000 })
      .toMatchObject({ count: 1 });
  });
});

test("Temporal accepts each search that the operator's page names", async () => {
  const text = await docsText("docs/operate/workflows.md");
  const searches = [...text.matchAll(/^ {4}(\w+ (?:=|IN|STARTS_WITH) .*)$|`(Lookout\w+ = [^`]*)`/gm)].map(
    ([, block, inline]) => block ?? inline ?? "",
  );
  expect(searches).toHaveLength(11);
  await withClient(async (client) => {
    for (const search of searches) await expect(client.workflow.count(search), search).resolves.toBeDefined();
  });
});

test("the daily job compresses the days that are over, and no other", async () => {
  const directory = await mkdtemp(join(tmpdir(), "lookout-days-"));
  try {
    const table = join(directory, "questdb", "db", "events~12");
    for (const name of ["2026-11-20", "2026-11-21.4", "2026-11-22", "txn_seq"])
      await mkdir(join(table, name), { recursive: true });
    const threeHoursAgo = Date.now() / 1000 - 3 * 3600;
    for (const name of ["2026-11-20", "2026-11-21.4", "txn_seq"])
      await utimes(join(table, name), threeHoursAgo, threeHoursAgo);
    // In place of btrfs, since the tests' file system need not be one.
    await writeFile(join(directory, "btrfs"), `#!/bin/sh\necho "$@" > "${directory}/arguments"\n`);
    await chmod(join(directory, "btrfs"), 0o755);
    const env = { PATH: [directory, process.env.PATH].join(delimiter), DATA_DIR: directory };
    await runDocsLines("docs/operate/questdb.md", "## Disk space", env);
    const [first, second, option, compression, ...days] = (await readFile(join(directory, "arguments"), "utf8"))
      .trim()
      .split(" ");
    expect([first, second, option, compression]).toEqual(["filesystem", "defragment", "-r", "-czstd"]);
    expect(days.sort()).toEqual([join(table, "2026-11-20"), join(table, "2026-11-21.4")]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

/** The path of the Temporal CLI with which the tests' stack runs. */
async function temporalCli(): Promise<string> {
  const config = readConfig({ ...process.env, CACHE_DIR: inject("lookout").cacheDir });
  return await planTemporal({ config, log: () => {}, signal: AbortSignal.timeout(60_000) })();
}

async function withClient(work: (client: Client) => Promise<void>): Promise<void> {
  const temporal = new TemporalConnection(readConfig({ TEMPORAL_ADDRESS: inject("lookout").temporalAddress }).temporal);
  try {
    await work(temporal.client);
  } finally {
    await temporal.close();
  }
}
