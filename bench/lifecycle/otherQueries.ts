import { at, round } from "../../test/kit/load/figures.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";

export async function makeWebsite(owner: Owner): Promise<string> {
  const { id } = await postJson<{ id: string }>(owner, "/websites/create", { name: "Bench", domain: "bench.example" });
  return id;
}

/** Queries a summary of another website, one query after the other, up to a number of times or until a condition holds; ms of each. */
export async function timeQueries(
  owner: Owner,
  websiteId: string,
  isEnough: () => boolean,
  most = Number.POSITIVE_INFINITY,
) {
  const query = { preset: "last_14d", parameters: ["summary_metrics", "top_pages"] };
  const times: number[] = [];
  while (times.length < most && !(times.length > 20 && isEnough())) {
    const startedMs = performance.now();
    await postJson(owner, `/v1/query?website_id=${websiteId}`, query);
    times.push(performance.now() - startedMs);
  }
  return times;
}

export function summaryOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return { queries: times.length, p50Ms: round(at(sorted, 0.5), 1), p95Ms: round(at(sorted, 0.95), 1) };
}
