import { randomUUID } from "node:crypto";
import type { TestWebsite } from "../calls/website.ts";
import { noonDaysAgo } from "../stores/noonDaysAgo.ts";
import { readArchive } from "../stores/readArchive.ts";
import { sendDoubled } from "./doubledLoad.ts";
import type { PersistentClient } from "./persistentClient.ts";

/** What a client has of a website at the end. */
export type ClientOutcome = {
  /** Ids that were acknowledged and are to be stored. */
  readonly kept: readonly string[];
  /** Ids that were acknowledged, and erased. */
  readonly erased: readonly string[];
};

type Shown = { status: string; reason: string | null; download_url: string | null; receipt: object | null };

const eventsOfDay = 40;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const newIds = () => Array.from({ length: eventsOfDay }, () => randomUUID());

/** Sends events of two days, deletes one of the days and sends more of the other one until the deletion has its receipt. */
export async function deletionRound(
  client: PersistentClient,
  baseUrls: readonly string[],
  website: TestWebsite,
): Promise<ClientOutcome> {
  const urls = batchUrls(baseUrls, website);
  const [erasedMs, keptMs] = [noonDaysAgo(3), noonDaysAgo(5)];
  const [erased, kept] = [newIds(), newIds()];
  await Promise.all([sendDoubled(urls, erased, erasedMs), sendDoubled(urls, kept, keptMs)]);
  const body = { start_date: dayOf(erasedMs), end_date: dayOf(erasedMs), data_types: ["events", "performance"] };
  const path = `/v1/websites/${website.websiteId}/data`;
  const { deletion_id: id } = await client.call<{ deletion_id: string }>("DELETE", path, website, { body });
  const more = newIds();
  const [{ receipt }] = await Promise.all([
    client.call<Shown>("GET", `/v1/deletions/${id}`, website, { isWanted: ({ status }) => status !== "processing" }),
    sendDoubled(urls, more, keptMs + 60_000),
  ]);
  if (receipt === null) throw new Error(`The deletion ${id} has no receipt`);
  return { kept: [...kept, ...more], erased };
}

/** Sends events, exports them once queries see them, and compares the archive with what was acknowledged. */
export async function exportRound(
  client: PersistentClient,
  baseUrls: readonly string[],
  website: TestWebsite,
): Promise<ClientOutcome> {
  const atMs = noonDaysAgo(4);
  const kept = newIds();
  await sendDoubled(batchUrls(baseUrls, website), kept, atMs);
  const day = dayOf(atMs);
  const query = { startDate: day, endDate: day, parameters: ["summary_metrics"] };
  await client.call<{ data: { data: { pageviews?: number }[] }[] }>(
    "POST",
    `/v1/query?website_id=${website.websiteId}`,
    website,
    { body: query, isWanted: ({ data }) => data[0]?.data[0]?.pageviews === kept.length },
  );
  const { id, downloadUrl } = await exportDay(client, website, day);
  const { pathname, search } = new URL(downloadUrl);
  const archive = await client.until(`GET ${pathname}`, async (baseUrl) => {
    const answer = await fetch(`${baseUrl}${pathname}${search}`);
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
  });
  const lines = String(readArchive(archive).get("events.ndjson")).trimEnd().split("\n");
  const exported = lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id);
  if (exported.toSorted().join() !== kept.toSorted().join())
    throw new Error(`The export ${id} has ${exported.length} events instead of the ${kept.length} acknowledged ones`);
  return { kept, erased: [] };
}

/** Starts an export again after the disk was full, as its reason says. */
async function exportDay(
  client: PersistentClient,
  website: TestWebsite,
  day: string,
): Promise<{ readonly id: string; readonly downloadUrl: string }> {
  const body = { start_date: day, end_date: day, format: "json", data_types: ["events"] };
  const path = `/v1/websites/${website.websiteId}/export`;
  for (;;) {
    const { export_id: id } = await client.call<{ export_id: string }>("POST", path, website, { body });
    const { status, reason, download_url } = await client.call<Shown>("GET", `/v1/exports/${id}`, website, {
      isWanted: (shown) => shown.status !== "processing",
    });
    if (status === "completed") return { id, downloadUrl: String(download_url) };
    if (!/disk .* is full.* start the export again/.test(String(reason)))
      throw new Error(`The export ${id} is ${status}: ${reason}`);
  }
}

const batchUrls = (baseUrls: readonly string[], { websiteId }: TestWebsite) =>
  baseUrls.map((baseUrl) => `${baseUrl}/batch?website_id=${websiteId}`);
