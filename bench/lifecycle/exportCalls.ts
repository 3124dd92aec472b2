import { setTimeout as pause } from "node:timers/promises";
import type { ExportFormat } from "../../src/lifecycle/export/exportRow.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";

export type Format = ExportFormat;

/** The events' file in the archive of each format. */
export const fileOf: Readonly<Record<Format, string>> = {
  csv: "events.csv",
  json: "events.ndjson",
  parquet: "events.parquet",
};

export const formats = Object.keys(fileOf) as readonly Format[];

export type ShownExport = {
  readonly status: string;
  readonly reason: string | null;
  readonly download_url: string;
  readonly bytes: number;
  readonly rows_done: number;
};

const pollMs = 50;
const giveUpAfterMs = 600_000;

/** Starts to export the events of a website's last 20 days and resolves to the export's id. */
export async function startExport(owner: Owner, websiteId: string, format: Format): Promise<string> {
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const { export_id: id } = await postJson<{ export_id: string }>(owner, `/v1/websites/${websiteId}/export`, {
    start_date: dayOf(Date.now() - 20 * 86_400_000),
    end_date: dayOf(Date.now()),
    format,
    data_types: ["events"],
  });
  return id;
}

/** Polls an export until it is as wanted, also while the API is down. Rejects after 10 minutes. */
export async function untilExport(
  owner: Owner,
  id: string,
  isAsWanted: (shown: ShownExport) => boolean,
): Promise<ShownExport> {
  const deadlineMs = Date.now() + giveUpAfterMs;
  while (Date.now() < deadlineMs) {
    const shown = await look(owner, id).catch(() => undefined);
    if (shown !== undefined && isAsWanted(shown)) return shown;
    await pause(pollMs);
  }
  throw new Error(`the export ${id} has not come far enough in ${giveUpAfterMs / 60_000} minutes`);
}

/** The export once it has ended. */
export async function untilExported(owner: Owner, id: string): Promise<ShownExport> {
  return await untilExport(owner, id, ({ status }) => status !== "processing");
}

/** The archive of a finished export. Rejects for one that has failed. */
export async function downloadArchive(shown: ShownExport): Promise<Buffer> {
  if (shown.status !== "completed") throw new Error(JSON.stringify(shown));
  return Buffer.from(await (await fetch(shown.download_url)).arrayBuffer());
}

async function look({ baseUrl, apiKey }: Owner, id: string): Promise<ShownExport | undefined> {
  const response = await fetch(`${baseUrl}/v1/exports/${id}`, { headers: { "x-api-key": apiKey } });
  return response.ok ? JSON.parse(await response.text()) : undefined;
}
