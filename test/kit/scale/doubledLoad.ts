import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { pageView } from "../load/pageView.ts";

export type DoubledLoad = {
  /** Ids that at least one API has acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** What was answered otherwise, by status or error. */
  readonly failures: ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

const batchEvents = 20;
const pauseMs = 40;
const retryMs = 150;

/**
 * Senders that send each batch through two APIs at once, with two timestamps. What an API does not answer with success is sent to the next
 * one, and given up at the end if another one has acknowledged it.
 */
export function startDoubledLoad(urls: readonly string[], senders: number): DoubledLoad {
  const acknowledged = new Set<string>();
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  const running = Array.from({ length: senders }, async () => {
    while (!stopping.signal.aborted) {
      const ids = Array.from({ length: batchEvents }, () => randomUUID());
      const isDone = () => stopping.signal.aborted && ids.every((id) => acknowledged.has(id));
      await sendDoubled(urls, ids, Date.now(), {
        isDone,
        onAcknowledged: () => {
          for (const id of ids) acknowledged.add(id);
        },
        onFailure: (failure) => failures.set(failure, (failures.get(failure) ?? 0) + 1),
      });
      await pause(pauseMs);
    }
  });

  return {
    acknowledged,
    failures,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

type Watch = {
  /** Whether what has no success yet is given up. */
  readonly isDone?: () => boolean;
  readonly onAcknowledged?: () => void;
  readonly onFailure?: (failure: string) => void;
};

/**
 * Sends a page view for each id once to every one of `urls`, each time with another timestamp. Resolves when each was taken, by the API that it
 * was meant for or by another one.
 */
export async function sendDoubled(
  urls: readonly string[],
  ids: readonly string[],
  timestamp: number,
  { isDone = () => false, onAcknowledged, onFailure }: Watch = {},
): Promise<void> {
  await Promise.all(
    urls.map(async (_, index) => {
      const sentAt = timestamp - index * 7;
      const body = JSON.stringify(ids.map((eventId) => pageView({ eventId, timestamp: sentAt, loadTime: 12 })));
      for (let attempt = 0; !isDone(); attempt += 1) {
        const failure = await post(String(urls[(index + attempt) % urls.length]), body);
        if (failure === undefined) return onAcknowledged?.();
        onFailure?.(failure);
        await pause(retryMs);
      }
    }),
  );
}

/** Undefined when all events were acknowledged, else why not. */
async function post(url: string, body: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": browser },
      body,
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    if (response.status !== 200) return String(response.status);
    const answer: { results: { status: string; message?: string }[] } = JSON.parse(text);
    return answer.results.find(({ status }) => status !== "success")?.message;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
