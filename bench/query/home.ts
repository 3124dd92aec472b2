/**
 * `npm run bench:home [-- --events 10000000 --websites 500 --rounds 15]`: how long the web app's start page waits for the figures of all websites, as JSON,
 * on a stack of its own: one call for all of them, then one for their lines. Next to it in the same run: a call for each website, 12 at a time,
 * with which the page asked before. The sums of both are compared.
 *
 * The events are of the last 36 days. Their sessions are stored, and the last hour still gets events.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { touchHours } from "../../src/aggregation/touchedDayQueue.ts";
import { hourMs } from "../../src/time/utcDay.ts";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { websiteIdOf } from "./events.ts";
import { runConcurrently } from "./runConcurrently.ts";
import { withStoredWebsites } from "./storedWebsites.ts";

/** With the four weeks before today. */
const days = 36;
const targetMs = 1_000;
/** Calls at a time of the page as it was. */
const callsAtOnce = 12;

export const bench: Bench = {
  name: "home",
  // Statements that store sessions take long.
  measure: (run) =>
    run.stacks.use({ parts: withoutTemporal, env: { QUESTDB_QUERY_TIMEOUT_MS: "600000" } }, (stack) =>
      measure(run, stack),
    ),
};

type Row = { readonly website_id: string; readonly visitors: number | null };

async function measure({ isSmoke, args }: BenchRun, stack: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: "string", default: "10000000" },
      websites: { type: "string", default: "500" },
      rounds: { type: "string", default: "15" },
    },
  });
  const rounds = isSmoke ? 1 : Number(values.rounds);
  const events = isSmoke ? 20_000 : Number(values.events);
  const websites = isSmoke ? 20 : Number(values.websites);
  const { config, owner } = stack;
  return await withStoredWebsites(stack, { events, websites, days }, async (ids) => {
    await settle(config.postgres.url, ids);
    const ask = async (address: string, parameters: readonly string[]) => {
      const started = performance.now();
      const response = await fetch(`${owner.baseUrl}/v1/query?${address}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": owner.apiKey },
        body: JSON.stringify({ preset: "today", limit: 10_000, parameters }),
      });
      const { data } = (await response.json()) as { data: { success: boolean; error?: string; data: Row[] }[] };
      const failed = data.find(({ success }) => !success);
      if (failed !== undefined) throw new Error(failed.error);
      return { rows: data[0]?.data ?? [], ms: performance.now() - started };
    };
    const all = `organization_id=${owner.organizationId}`;
    const times: { figures: number[]; lines: number[]; one: number[]; each: number[] } = {
      figures: [],
      lines: [],
      one: [],
      each: [],
    };
    const problems: string[] = [];
    // The first two rounds warm up.
    for (let index = -2; index < rounds; index += 1) {
      const figures = await ask(all, ["websites_today", "websites_now", "websites_uptime"]);
      const lines = await ask(all, ["websites_trend"]);
      const one = await ask(`website_id=${websiteIdOf(1)}`, ["summary_metrics"]);
      const started = performance.now();
      const visitors = new Map<string, number>();
      // A third of the rounds is enough for what takes so long.
      if (index % 3 === 0)
        await runConcurrently(ids, callsAtOnce, async (id) => {
          const { rows } = await ask(`website_id=${id}`, ["today_metrics", "active_stats", "uptime_overview"]);
          visitors.set(id, rows[0]?.visitors ?? 0);
        });
      const eachMs = performance.now() - started;
      for (const [id, count] of index === 0 ? visitors : []) {
        const found = figures.rows.find((row) => row.website_id === id)?.visitors;
        // Generated events go on until the end of today.
        if (found === undefined || found === null || found > count)
          problems.push(`of ${id} ${found} visitors were answered together and ${count} alone`);
      }
      if (index < 0) continue;
      times.figures.push(figures.ms);
      times.lines.push(lines.ms);
      times.one.push(one.ms);
      if (index % 3 === 0) times.each.push(eachMs);
    }
    const [figuresMs, linesMs, oneMs, eachMs] = [times.figures, times.lines, times.one, times.each].map(median);
    const figures = {
      "figures of all websites / a call for each": ratio(round((figuresMs ?? 0) / (eachMs ?? 1), 3), "lower", 0.5),
      "figures of all websites / summary of the largest": ratio(round((figuresMs ?? 0) / (oneMs ?? 1), 1), "lower"),
      "figures of all websites": absolute(round(figuresMs ?? 0, 0), "ms", "lower", targetMs),
      "lines of all websites": absolute(round(linesMs ?? 0, 0), "ms", "lower"),
      "a call for each website": absolute(round(eachMs ?? 0, 0), "ms", "lower"),
    };
    return { settings: { events, websites, rounds }, figures, problems, details: times };
  });
}

/** No day needs a correction any more, and the last hour still gets events. */
async function settle(url: string, websiteIds: readonly string[]): Promise<void> {
  const postgres = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await postgres.query("DELETE FROM touched_days WHERE website_id = ANY($1)", [websiteIds]);
    const lastMs = Math.floor(Date.now() / hourMs) * hourMs;
    await touchHours(
      postgres,
      websiteIds.map((websiteId) => ({ websiteId, hourMs: lastMs })),
    );
  } finally {
    await postgres.end();
  }
}

if (import.meta.main) await runAsScript(bench);
