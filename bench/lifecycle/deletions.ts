import { setTimeout as pause } from "node:timers/promises";
import type { Owner } from "../../test/kit/stack/owner.ts";

export type Deletion = {
  readonly status: string;
  readonly phase: string;
  readonly days_done: number;
  readonly receipt: {
    readonly tables: readonly { readonly table: string; readonly rows_before: number; readonly rows_after: number }[];
    readonly days: readonly string[];
    readonly unreadable_at: string;
    readonly gone_at: string;
  } | null;
};

const pollMs = 250;
const giveUpAfterMs = 600_000;

/** Starts to erase everything of a website in the last days and resolves to the erasure's id. */
export async function eraseWebsite(owner: Owner, websiteId: string, days: number): Promise<string> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const response = await fetch(`${owner.baseUrl}/v1/websites/${websiteId}/data`, {
    method: "DELETE",
    headers: { "x-api-key": owner.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ start_date: day(days), end_date: day(0), data_types: ["events", "sessions", "aggregated"] }),
  });
  const answer: { deletion_id?: string } = JSON.parse(await response.text());
  if (answer.deletion_id === undefined) throw new Error(`the erasure was answered ${JSON.stringify(answer)}`);
  return answer.deletion_id;
}

/** Polls an erasure until it has ended, also while the API is down. Rejects after 10 minutes. */
export async function untilErased(owner: Owner, id: string, onLook: (deletion: Deletion) => void): Promise<Deletion> {
  const deadlineMs = Date.now() + giveUpAfterMs;
  while (Date.now() < deadlineMs) {
    const deletion = await look(owner, id).catch(() => undefined);
    if (deletion !== undefined) {
      onLook(deletion);
      if (deletion.status === "completed") return deletion;
    }
    await pause(pollMs);
  }
  throw new Error(`the erasure ${id} has not ended in ${giveUpAfterMs / 60_000} minutes`);
}

async function look({ baseUrl, apiKey }: Owner, id: string): Promise<Deletion | undefined> {
  const response = await fetch(`${baseUrl}/v1/deletions/${id}`, { headers: { "x-api-key": apiKey } });
  return response.ok ? JSON.parse(await response.text()) : undefined;
}
