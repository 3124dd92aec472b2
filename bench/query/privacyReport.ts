/**
 * `npm run bench:report [-- --events 10000000 --websites 20 --rounds 3]`: how long the privacy report of the largest website takes, as JSON, on a stack of
 * its own, and next to it in the same run a summary of the same website's last 30 days. Websites are of one organization, so the report looks
 * for ids on all of them.
 *
 * The events are of the last 36 days, and their sessions are stored.
 */
import { parseArgs } from "node:util";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { withStoredWebsites } from "./storedWebsites.ts";

const days = 36;
/** How long a call may take, by default. */
const targetMs = 30_000;

export const bench: Bench = {
  name: "report",
  // Statements that store sessions take long.
  measure: (run) =>
    run.stacks.use({ parts: withoutTemporal, env: { QUESTDB_QUERY_TIMEOUT_MS: "600000" } }, (stack) =>
      measure(run, stack),
    ),
};

type Point = { readonly counts: readonly { readonly name: string; readonly value: number | null }[] };

async function measure({ isSmoke, args }: BenchRun, stack: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: "string", default: "10000000" },
      websites: { type: "string", default: "20" },
      rounds: { type: "string", default: "3" },
    },
  });
  const rounds = isSmoke ? 1 : Number(values.rounds);
  const events = isSmoke ? 20_000 : Number(values.events);
  const websites = isSmoke ? 5 : Number(values.websites);
  const { owner } = stack;
  return await withStoredWebsites(stack, { events, websites, days }, async ([id = ""]) => {
    const headers = { "content-type": "application/json", "x-api-key": owner.apiKey };
    const timed = async (path: string, body?: object) => {
      const started = performance.now();
      const response = await fetch(`${owner.baseUrl}${path}`, {
        headers,
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return { answer, ms: performance.now() - started };
    };
    const times: { report: number[]; summary: number[] } = { report: [], summary: [] };
    let counts: readonly { readonly name: string; readonly value: number | null }[] = [];
    // The first round warms up.
    for (let index = -1; index < rounds; index += 1) {
      const report = await timed(`/v1/websites/${id}/privacy-report`);
      const asked = { preset: "last_30d", parameters: ["summary_metrics"] };
      const summary = await timed(`/v1/query?website_id=${id}`, asked);
      counts = (report.answer as { points: readonly Point[] }).points.flatMap((point) => point.counts);
      if (index < 0) continue;
      times.report.push(report.ms);
      times.summary.push(summary.ms);
    }
    const [reportMs, summaryMs] = [median(times.report), median(times.summary)];
    const problems = counts.filter(({ value }) => value === null).map(({ name }) => `${name} was not counted`);
    const figures = {
      "privacy report / summary of 30 days": ratio(round((reportMs ?? 0) / (summaryMs ?? 1), 1), "lower"),
      "privacy report": absolute(round(reportMs ?? 0, 0), "ms", "lower", targetMs),
    };
    return { settings: { events, websites, rounds }, figures, problems, details: { times, counts } };
  });
}

if (import.meta.main) await runAsScript(bench);
