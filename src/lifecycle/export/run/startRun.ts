import type { Config } from "../../../config.ts";
import { type RunTools, startOnce } from "../../../store/temporal/runs.ts";
import { workflowIdSql } from "../../../store/temporal/workflowIds.ts";
import type { ExportRow } from "../exportRow.ts";

export type StartTools = RunTools & { readonly config: Pick<Config, "exports"> };

/**
 * Starts the run of an export, unless it ran before, and records that. Its row must be committed. Rejects when Temporal or PostgreSQL is
 * unavailable; reconcileExports then starts it within a minute.
 */
export async function startRun(tools: StartTools, id: string): Promise<void> {
  const { workflowId, websiteId, organizationId, format, days, dataTypes, domain, name } = await readStarted(
    tools.postgres,
    id,
  );
  await startOnce(tools, {
    kind: "export",
    workflowId,
    type: "exportData",
    args: [{ exportId: id, partRows: tools.config.exports.partRows }],
    subject: { websiteId, organizationId, name },
    staticSummary: `${format} of ${dataTypes.join(", ")} of ${domain}, ${days}`,
    staticDetails:
      `Writes the export \`${id}\` part by part, packs it and removes it when its time is over. Cancel it to stop it. ` +
      "What its owner sees of it is in the PostgreSQL table `exports`.",
  });
  await tools.postgres.query("UPDATE exports SET run_started_at = now() WHERE id = $1", [id]);
}

/** What operators see of an export. */
type Started = Pick<ExportRow, "workflowId" | "websiteId" | "organizationId" | "format" | "dataTypes"> & {
  readonly days: string;
  readonly domain: string;
  readonly name: string;
};

async function readStarted(postgres: RunTools["postgres"], id: string): Promise<Started> {
  const { rows } = await postgres.query<Started>(
    `SELECT ${workflowIdSql("export", "export")} AS "workflowId", website_id AS "websiteId", export.organization_id AS "organizationId", format,
       start_date || ' to ' || end_date AS days, data_types AS "dataTypes", domain, name
     FROM exports export JOIN websites website ON website.id = website_id WHERE export.id = $1`,
    [id],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`There is no export ${id}`);
  return found;
}
