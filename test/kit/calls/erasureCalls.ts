import { randomUUID } from "node:crypto";
import { Client, Connection } from "@temporalio/client";
import { expect, inject, vi } from "vitest";
import { send } from "./request.ts";

export type Key = { readonly websiteId: string; readonly apiKey: string };

export type Receipt = {
  tables: { table: string; rows_before: number; rows_after: number }[];
  days: string[];
  exports_withdrawn: string[];
  unreadable_at: string;
  gone_at: string;
  spools_away: { place: string; last_seen_at: string }[];
};

export type Shown = {
  deletion_id: string;
  status: string;
  progress: number;
  phase: string;
  days_done: number;
  days_total: number;
  receipt: Receipt | null;
};

type ErasureRequest = { start_date: string; end_date: string; data_types: readonly string[]; anonymous_id?: string };

/** DELETE /v1/websites/{website_id}/data */
export const erase = (key: Key, request: ErasureRequest | object, baseUrl?: string) =>
  send("DELETE", `/v1/websites/${key.websiteId}/data`, {
    body: request,
    apiKey: key.apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });

/** Starts an erasure and returns the answer. */
export async function startErasure(
  key: Key,
  request: ErasureRequest,
  baseUrl?: string,
): Promise<{ deletion_id: string; deleted: Record<string, number> }> {
  const { status, body } = await erase(key, request, baseUrl);
  expect(body).toMatchObject({ success: true, status: "processing", deletion_id: expect.any(String) });
  expect(status).toBe(200);
  return body as { deletion_id: string; deleted: Record<string, number> };
}

export async function shown(key: Key, id: string, baseUrl?: string): Promise<Shown> {
  const answer = await send("GET", `/v1/deletions/${id}`, {
    apiKey: key.apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  expect(answer.status).toBe(200);
  return answer.body as Shown;
}

/** Waits for the end of an erasure and returns its receipt. */
export async function receiptOf(key: Key, id: string, baseUrl?: string): Promise<Receipt> {
  const last = await vi.waitFor(
    async () => {
      const found = await shown(key, id, baseUrl);
      expect(found.status).toBe("completed");
      return found;
    },
    { timeout: 200_000, interval: 250 },
  );
  if (last.receipt === null) throw new Error("a completed erasure has no receipt");
  return last.receipt;
}

/** Rows before and after, by table. */
export function countsOf({ tables }: Receipt): Record<string, [before: number, after: number]> {
  return Object.fromEntries(tables.map(({ table, rows_before, rows_after }) => [table, [rows_before, rows_after]]));
}

export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Computes sessions and daily records now instead of within a minute. */
export async function correctNow(): Promise<void> {
  const { temporalAddress } = inject("lookout");
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    await new Client({ connection }).workflow.execute("correction", {
      taskQueue: "lookout",
      workflowId: `correction-${randomUUID()}`,
    });
  } finally {
    await connection.close();
  }
}
