import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { readArchive } from "../../kit/stores/readArchive.ts";

export type ExportRequest = { start_date: string; end_date: string; format: string; data_types: string[] };

export type ShownExport = Record<string, unknown> & {
  export_id: string;
  status: string;
  progress: number;
  download_url: string | null;
  reason: string | null;
  rows_done: number;
};

type Key = { readonly apiKey: string };
type Server = { readonly baseUrl: string };

export const ask = (websiteId: string, body: unknown, { apiKey }: Key, server?: Server) =>
  send("POST", `/v1/websites/${websiteId}/export`, { body, apiKey, ...server });

/** Starts an export that must be accepted; its id. */
export async function start(
  websiteId: string,
  body: Partial<ExportRequest>,
  key: Key,
  server?: Server,
): Promise<string> {
  const request = { format: "csv", data_types: ["events"], ...body };
  const answer = await ask(websiteId, request, key, server);
  expect(answer).toMatchObject({ status: 200, body: { success: true, status: "processing", download_url: null } });
  return (answer.body as { export_id: string }).export_id;
}

export async function show(id: string, { apiKey }: Key): Promise<ShownExport> {
  const answer = await send("GET", `/v1/exports/${id}`, { apiKey });
  expect(answer.status).toBe(200);
  return answer.body as ShownExport;
}

export const cancel = (id: string, { apiKey }: Key) => send("POST", `/v1/exports/${id}/cancel`, { apiKey });

/** The export once it is not processing any more. */
export async function ended(id: string, key: Key, timeout = 100_000): Promise<ShownExport> {
  return await vi.waitFor(
    async () => {
      const shown = await show(id, key);
      expect(shown.status).not.toBe("processing");
      return shown;
    },
    { timeout, interval: 200 },
  );
}

/** The address of a finished export on the test's own API. */
export function addressOf({ download_url }: ShownExport): string {
  const { pathname, search } = new URL(String(download_url));
  return `${inject("lookout").baseUrl}${pathname}${search}`;
}

/** The files of a finished export. */
export async function download(shown: ShownExport): Promise<ReadonlyMap<string, Buffer>> {
  expect(shown).toMatchObject({ status: "completed", progress: 100, reason: null });
  const answer = await fetch(addressOf(shown));
  expect(answer.status).toBe(200);
  return readArchive(Buffer.from(await answer.arrayBuffer()));
}

/** Whether the storage holds any file of an export. */
export async function hasFiles(id: string): Promise<boolean> {
  return await stat(join(inject("lookout").dataDir, "exports", id)).then(
    () => true,
    () => false,
  );
}
