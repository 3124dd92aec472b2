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

/**
 * Senders that send each batch through two APIs at once, with two timestamps. What an API does not answer with success is sent there
 * again, and given up at the end if the other one has acknowledged it.
 */
export function startDoubledLoad(urls: readonly string[], senders: number): DoubledLoad {
  const acknowledged = new Set<string>();
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  const running = Array.from({ length: senders }, async () => {
    while (!stopping.signal.aborted) {
      const ids = Array.from({ length: batchEvents }, () => randomUUID());
      await Promise.all(urls.map((url, index) => send(url, ids, index * 7)));
      await pause(pauseMs);
    }
  });

  async function send(url: string, ids: readonly string[], shiftMs: number): Promise<void> {
    const timestamp = Date.now() - shiftMs;
    const body = JSON.stringify(ids.map((eventId) => pageView({ eventId, timestamp, loadTime: 12 })));
    const isDone = () => stopping.signal.aborted && ids.every((id) => acknowledged.has(id));
    while (!isDone()) {
      const failure = await post(url, body);
      if (failure === undefined) {
        for (const id of ids) acknowledged.add(id);
        return;
      }
      failures.set(failure, (failures.get(failure) ?? 0) + 1);
      await pause(150);
    }
  }

  return {
    acknowledged,
    failures,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
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
