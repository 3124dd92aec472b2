import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { pageView } from "../load/pageView.ts";

/** The senders' counts: `acknowledged` ids were answered with success. Events without an id are counted as sent and as acknowledged. */
export type Ledger = { readonly acknowledged: Set<string>; sentWithoutId: number; acknowledgedWithoutId: number };

export type Load = { stop(): Promise<void> };

const batchEvents = 20;

/**
 * Senders that each post batches one after the other. What was not answered 200 is sent again until it is, every second time with other
 * timestamps, so in the end every event with an id is acknowledged. Events without an id are sent once.
 */
export function startLoad(url: string, senders: number, ledger: Ledger, random: () => number): Load {
  const stopping = new AbortController();
  const running = Array.from({ length: senders }, async () => {
    while (!stopping.signal.aborted) {
      await (random() < 0.8 ? sendWithIds(url, ledger, random) : sendWithoutIds(url, ledger));
      await pause(random() * 60);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Sends events of twenty days, for which QuestDB needs far more space in the table than in its log. Resolves when they are acknowledged. */
export async function sendOldEvents(url: string, ledger: Ledger, random: () => number): Promise<void> {
  await sendWithIds(url, ledger, random, dayMs);
}

const dayMs = 86_400_000;

/** Each event of the batch is `stepMs` older than the one before. */
async function sendWithIds(url: string, ledger: Ledger, random: () => number, stepMs = 0): Promise<void> {
  const ids = Array.from({ length: batchEvents }, () => randomUUID());
  let timestamp = Date.now();
  for (let isKept = false; !isKept; ) {
    isKept = await post(
      url,
      ids.map((eventId, index) => viewOf(timestamp - index * stepMs, eventId)),
    );
    // If an answer is lost, the sender repeats the events though they were stored.
    if (isKept && random() < 0.05) await post(url, [viewOf(timestamp + 5, ids[0])]);
    if (!isKept) await pause(100);
    if (random() < 0.5) timestamp = Date.now();
  }
  for (const id of ids) ledger.acknowledged.add(id);
}

async function sendWithoutIds(url: string, ledger: Ledger): Promise<void> {
  ledger.sentWithoutId += batchEvents;
  const isKept = await post(
    url,
    Array.from({ length: batchEvents }, () => viewOf(Date.now(), undefined)),
  );
  if (isKept) ledger.acknowledgedWithoutId += batchEvents;
  else await pause(100);
}

function viewOf(timestamp: number, eventId: string | undefined): object {
  return pageView({ timestamp, eventId, loadTime: 12 });
}

/** Whether all events of the batch were acknowledged. */
async function post(url: string, events: readonly object[]): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": browser },
      body: JSON.stringify(events),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    if (response.status !== 200) return false;
    const answer: { results: { status: string; message?: string }[] } = JSON.parse(text);
    const refused = answer.results.find(({ status }) => status !== "success");
    if (refused !== undefined) throw new TypeError(`an event was refused: ${refused.message}`);
    return true;
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith("an event")) throw error;
    return false;
  }
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
