/**
 * `npm run move -- --organization <name or id> --to s2`: moves an organization to another shard. It starts the workflow and shows
 * its progress; the workflow continues if this command is stopped. Run again, it shows the move under way; `--cancel` cancels
 * that.
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { ConfigError, readConfig } from "../../config.ts";
import { reportFailure, StartFailure } from "../../errors/startFailure.ts";
import { type MoveReceipt, type OrganizationMove, readMove } from "../../scale/move/organizationMove.ts";
import {
  findOrganization,
  type Organization,
  type RunningMove,
  requestMove,
  runningMove,
} from "../../scale/move/requestMove.ts";
import { runStateOf, startOnce, withRun } from "../../store/temporal/runs.ts";
import { TemporalConnection } from "../../store/temporal/temporalConnection.ts";
import { readOptions } from "../readOptions.ts";

const usage = `Usage: npm run move -- --organization <name or id> --to <shard>
       npm run move -- --organization <name or id> --cancel`;
const pollMs = 1_000;
const startTimeoutMs = 10_000;

try {
  const { given, toShard } = readArguments();
  const config = readConfig();
  const postgres = new pg.Pool({ connectionString: config.postgres.url, max: 2 });
  const temporal = new TemporalConnection(config.temporal);
  try {
    const organization = await findOrganization(postgres, given);
    if (toShard === undefined) await cancel(organization);
    else await move(organization, toShard);
  } finally {
    await Promise.all([postgres.end(), temporal.close()]);
  }

  async function move(organization: Organization, to: string): Promise<void> {
    const requested = await requestMove(postgres, organization, to);
    await start(organization, requested, [requested.id]);
    console.log(
      `Moving "${organization.name}" to ${to}: workflow ${requested.workflowId}. Ctrl-C stops showing it, not the move.`,
    );
    await follow(organization, requested);
  }

  async function start({ name }: Organization, { workflowId, toShard: to }: RunningMove, args: readonly unknown[]) {
    await startOnce(
      { temporal, config },
      {
        kind: "organization-move",
        type: "organizationMove",
        workflowId,
        args,
        staticSummary: `${name} to ${to}`,
        staticDetails:
          "Moves an organization to another shard. What it has done is in the PostgreSQL table `organization_moves`.",
        timeoutMs: startTimeoutMs,
      },
    );
  }

  async function cancel(organization: Organization): Promise<void> {
    const running = await runningMove(postgres, organization.id);
    if (running === undefined) throw new StartFailure(`"${organization.name}" is not moving. Nothing was changed.`);
    const { phase, toShard: to } = await readMove(postgres, running.id);
    if (phase !== "copying" && phase !== "both")
      throw new StartFailure(
        `Queries of "${organization.name}" read ${to} already: the move goes on. To undo it move it back at its end.`,
      );
    if ((await runStateOf(temporal.client, running.workflowId)) === "running")
      await withRun(temporal.client, running.workflowId, (run) => run.cancel());
    else await start(organization, running, [running.id, true]);
    console.log(`Giving up the move of "${organization.name}" to ${to}. Ctrl-C stops showing it.`);
    await follow(organization, running);
  }

  async function follow(organization: Organization, { id, workflowId }: RunningMove): Promise<void> {
    for (let shown = ""; ; await pause(pollMs)) {
      // While Temporal is unavailable the move waits for it.
      const state = await runStateOf(temporal.client, workflowId).catch(() => "running");
      const found = await readMove(postgres, id);
      const { phase, progress, receipt, fromShard } = found;
      if (progress !== shown && phase !== "done" && phase !== "cancelled")
        console.log(`${new Date().toISOString()} ${progress}`);
      shown = progress;
      if (phase === "cancelled") console.log(`"${organization.name}" stays on ${fromShard}; the copies are erased.`);
      if (receipt !== null) console.log(describe(organization, found, receipt));
      if (phase === "cancelled" || receipt !== null) return;
      if (state !== "running")
        throw new StartFailure(
          `The workflow ${workflowId} has ended before the move has: the Temporal Web UI says why. Run this again to continue, or with --cancel to give the move up.`,
        );
    }
  }
} catch (error) {
  reportFailure(
    error,
    (code) =>
      `The move could not be followed${code}; if it was started it goes on. Check that PostgreSQL and Temporal run and that DATABASE_URL and ` +
      "TEMPORAL_ADDRESS are those of the other processes, then run this again.",
  );
}

function describe({ name }: Organization, { fromShard, toShard }: OrganizationMove, receipt: MoveReceipt): string {
  const { tables, days, replicas, switchedAt, goneAt, logExpiresAt } = receipt;
  const lines = tables.map(
    ({ table, rowsBefore, rowsAfter }) =>
      `  ${table.padEnd(20)} ${String(rowsBefore).padStart(12)} removed, ${rowsAfter} left`,
  );
  const [first] = days;
  const range = first === undefined ? "" : `, of ${first} to ${days.at(-1)}`;
  return [
    `"${name}" is on ${toShard}: queries read it since ${switchedAt}.`,
    `Receipt: rows removed from ${fromShard} (${replicas.join(", ")})${range}:`,
    ...lines,
    `  No file of these replicas holds them since ${goneAt}; the log of ${fromShard} may until ${logExpiresAt}.`,
  ].join("\n");
}

function readArguments(): { given: string; toShard: string | undefined } {
  const {
    organization = "",
    to = "",
    cancel,
  } = readOptions(
    { organization: { type: "string" }, to: { type: "string" }, cancel: { type: "boolean", default: false } },
    usage,
  );
  if (organization === "" || (to === "") !== cancel) throw new ConfigError(usage);
  return { given: organization, toShard: cancel ? undefined : to };
}
