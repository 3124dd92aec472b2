import { at, round } from "../../test/kit/load/figures.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";

type Summary = { readonly data: readonly { readonly data: readonly { readonly pageviews?: number }[] }[] };

export async function makeWebsite(owner: Owner): Promise<string> {
  const { id } = await postJson<{ id: string }>(owner, "/websites/create", { name: "Bench", domain: "bench.example" });
  return id;
}

/** Another website, of which the number of page views in the last 14 days is known. */
export type OtherWebsite = { readonly id: string; readonly pageviews: number };

/**
 * Queries a summary of another website, one query after the other, up to a number of times or until a condition holds; ms of each. Rejects if
 * an answer is wrong.
 */
export async function timeQueries(
  owner: Owner,
  { id, pageviews }: OtherWebsite,
  isEnough: () => boolean,
  most = Number.POSITIVE_INFINITY,
) {
  const query = { preset: "last_14d", parameters: ["summary_metrics", "top_pages"] };
  const times: number[] = [];
  while (times.length < most && !(times.length > 20 && isEnough())) {
    const startedMs = performance.now();
    const { data } = await postJson<Summary>(owner, `/v1/query?website_id=${id}`, query);
    const found = data[0]?.data[0]?.pageviews;
    if (found !== pageviews) throw new Error(`the other website has ${found} page views, not ${pageviews}`);
    times.push(performance.now() - startedMs);
  }
  return times;
}

export function summaryOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return { queries: times.length, p50Ms: round(at(sorted, 0.5), 1), p95Ms: round(at(sorted, 0.95), 1) };
}
