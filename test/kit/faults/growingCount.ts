import { setTimeout as pause } from "node:timers/promises";
import type { TestWebsite } from "../calls/website.ts";

/** What one API answered about a website to which events are only added. */
export type CountHistory = {
  answers: number;
  /** Each count that was below the largest one of the same API before. */
  readonly falls: string[];
};

export type Counting = { stop(): Promise<CountHistory[]> };

const pauseMs = 60;
const timeoutMs = 60_000;
const wantedDays = 30;
const dayMs = 86_400_000;

/** Asks each API again and again for the number of page views of the last month. Only counts are compared: calls may fail. */
export function countAllTheTime(
  baseUrls: readonly string[],
  { websiteId, apiKey }: Pick<TestWebsite, "websiteId" | "apiKey">,
): Counting {
  const stopping = new AbortController();
  const countAt = async (baseUrl: string): Promise<CountHistory> => {
    const history: CountHistory = { answers: 0, falls: [] };
    let largest = 0;
    while (!stopping.signal.aborted) {
      const count = await readCount(`${baseUrl}/v1/query?website_id=${websiteId}`, apiKey);
      if (count !== undefined) {
        history.answers += 1;
        if (count < largest) history.falls.push(`${new Date().toISOString()} ${baseUrl}: ${largest} to ${count}`);
        largest = Math.max(largest, count);
      }
      await pause(pauseMs);
    }
    return history;
  };
  const running = baseUrls.map(countAt);
  return {
    stop: async () => {
      stopping.abort();
      return await Promise.all(running);
    },
  };
}

async function readCount(url: string, apiKey: string): Promise<number | undefined> {
  const startDate = new Date(Date.now() - wantedDays * dayMs).toISOString().slice(0, 10);
  const endDate = new Date(Date.now() + dayMs).toISOString().slice(0, 10);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ parameters: ["summary_metrics"], startDate, endDate }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer: { data?: { success: boolean; data: { pageviews?: number }[] }[] } = await response.json();
    const result = answer.data?.[0];
    return response.ok && result?.success === true ? (result.data[0]?.pageviews ?? 0) : undefined;
  } catch {
    return undefined;
  }
}
