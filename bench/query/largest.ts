/**
 * `npm run bench:largest [-- --views 400000 --events 19000]`: how long the largest queries of events, the largest batches and the
 * largest messages of assistants delay other requests, as JSON, on a stack of its own. For each: how long it took, the longest CPU time for which it
 * blocked the API's event loop, and the longest answer time of another website's query that ran meanwhile, as a multiple of its answer time on an
 * idle server.
 */
import { parseArgs } from "node:util";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { type LargeQuery, largeQueries } from "../../test/kit/largest/largeQueries.ts";
import { largestItems } from "../../test/kit/largest/largestItems.ts";
import { largeMessages } from "../../test/kit/largest/largeToolCalls.ts";
import type { ProbeAnswer, ProbeMessage } from "../../test/kit/largest/loopProbe.ts";
import { insertManyEvents } from "../../test/kit/largest/manyEvents.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { messageOf } from "../../test/kit/load/pinnedProcess.ts";
import { withBenchApi } from "../../test/kit/stack/benchApi.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { postJson } from "../../test/kit/stack/owner.ts";

const paths: Readonly<Record<string, string>> = {
  Query: "",
  CompileQuery: "/compile",
  CustomQuery: "/custom",
  AnalyzeFunnel: "/funnel",
  AnalyzeGoals: "/goals",
  AnalyzeJourneys: "/journeys",
};
const batchRpc = "lookout.v1.IngestService.Batch";
const targetMs = 50;
const otherViews = 1_000;
/** Whose answer is waited for beside each large query. */
const otherQuery = { preset: "last_90d", parameters: ["page_views"] };

export const bench: Bench = {
  name: "largest",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

type Answered = { readonly status: number; readonly ms: number; readonly text: string };

async function measure({ isSmoke, args }: BenchRun, { stack, owner }: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: { views: { type: "string", default: "400000" }, events: { type: "string", default: "19000" } },
  });
  const views = isSmoke ? 1_000 : Number(values.views);
  const events = isSmoke ? 100 : Number(values.events);
  const { websiteId } = owner;
  const website = { name: "Other", domain: "example.com" };
  const { id: otherId } = await postJson<{ id: string }>(owner, "/websites/create", website);
  await insertManyEvents(stack.config.questdb, websiteId, views, events);
  await insertManyEvents(stack.config.questdb, otherId, otherViews, 100);
  const options = { nodeFlags: ["--import", "./test/kit/largest/loopProbe.ts"], env: { LOG_LEVEL: "error" } };
  return await withBenchApi(stack, options, async ({ baseUrl, child }) => {
    const problems: string[] = [];
    const ask = async (path: string, id: string, search: string, body: object): Promise<Answered> => {
      const startedMs = performance.now();
      const response = await fetch(`${baseUrl}${path}?website_id=${id}${search}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-api-key": owner.apiKey,
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, ms: performance.now() - startedMs, text };
    };
    const askOther = async () => {
      const answer = await ask("/v1/query", otherId, "", otherQuery);
      const found = viewsIn(answer);
      if (found !== otherViews)
        problems.push(`the other website has ${found} page views, not ${otherViews}: ${answer.text.slice(0, 300)}`);
      return answer.ms;
    };
    const alone: number[] = [];
    for (let index = 0; index < (isSmoke ? 2 : 20); index += 1) alone.push(await askOther());
    const aloneMs = median(alone);
    const queries = [];
    for (const call of isSmoke ? firstOfEach(largeCalls(websiteId)) : largeCalls(websiteId)) {
      const { rpc, about, path, body, search = "" } = call;
      child.send({ loopProbe: "begin" } satisfies ProbeMessage);
      let isOver = false;
      const answering = ask(path, websiteId, search, body).finally(() => {
        isOver = true;
      });
      let [longestMs, others] = [0, 0];
      while (!isOver) {
        longestMs = Math.max(longestMs, await askOther());
        others += 1;
      }
      const answer = await answering;
      const probed = messageOf<ProbeAnswer>(child);
      child.send({ loopProbe: "end" } satisfies ProbeMessage);
      const blockedMs = Math.round((await probed).longestMs);
      const wrong = wrongIn(answer, call, rightFigure(rpc, about, views));
      problems.push(...wrong.map((text) => `${rpc}, ${about}: ${text}`));
      const longestWait = round(longestMs / aloneMs, 1);
      queries.push({ rpc, about, status: answer.status, ms: Math.round(answer.ms), blockedMs, others, longestWait });
    }
    const waits = queries.map(({ longestWait }) => longestWait);
    const figures = {
      "longest wait of another query / alone": ratio(Math.max(...waits), "lower"),
      "median wait of another query / alone": ratio(median(waits), "lower"),
      "another query alone": absolute(round(aloneMs, 1), "ms", "lower"),
      "longest time blocked": absolute(Math.max(...queries.map(({ blockedMs }) => blockedMs)), "ms", "lower", targetMs),
    };
    return { settings: { views, events }, figures, problems, details: { queries } };
  });
}

type LargeCall = LargeQuery & { readonly rpc: string; readonly path: string };

function largeCalls(websiteId: string): readonly LargeCall[] {
  const queries = Object.entries(largeQueries).flatMap(([rpc, all]) =>
    all.map((query) => ({ rpc, path: pathOf(rpc), ...query })),
  );
  const item = largestItems[batchRpc];
  const batch = Array.from({ length: 100 }, (_, index) => item?.(10_000, index) ?? {});
  const messages = largeMessages(websiteId).map(({ about, message }, id) => ({
    rpc: "mcp",
    about,
    path: "/mcp",
    body: { jsonrpc: "2.0", id, ...message },
  }));
  return [...queries, { rpc: batchRpc, about: "100 events, 1 MB", path: "/batch", body: batch }, ...messages];
}

function firstOfEach(calls: readonly LargeCall[]): readonly LargeCall[] {
  return calls.filter(({ rpc }, index) => calls.findIndex((call) => call.rpc === rpc) === index);
}

function pathOf(rpc: string): string {
  return `/v1/query${paths[rpc.slice(rpc.lastIndexOf(".") + 1)] ?? ""}`;
}

type Row = Readonly<Record<string, unknown>>;
type Result = { readonly success: boolean; readonly error?: string | null; readonly data: readonly Row[] };
type AnswerBody = {
  readonly data?: readonly Result[];
  readonly visitors?: number;
  readonly sessions?: number;
  readonly results?: readonly { readonly status: string }[];
};

function bodyOf({ text }: Answered): AnswerBody {
  return JSON.parse(text);
}

function viewsIn(answer: Answered): number {
  const rows = (bodyOf(answer).data ?? []).flatMap(({ data }) => data);
  return rows.reduce((sum, { value }) => sum + Number(value), 0);
}

function countOf(results: AnswerBody["results"] = []): number {
  return results.filter(({ status }) => status === "success").length;
}

/** What an answer to a large query lacks. */
function wrongIn(answer: Answered, { isRefused = false }: LargeQuery, right: Right | undefined): string[] {
  const status = isRefused ? 400 : 200;
  if (answer.status !== status) return [`it is answered ${answer.status}, not ${status}: ${answer.text.slice(0, 300)}`];
  const found = right?.read(bodyOf(answer));
  return right === undefined || found === right.value ? [] : [`${String(found)}, not ${right.value}`];
}

type Right = { readonly read: (body: AnswerBody) => unknown; readonly value: number };

/** Figures of some answers that are known in advance: the events are ten to a session, each session of a visitor of its own. */
function rightFigure(rpc: string, about: string, views: number): Right | undefined {
  const sessions = Math.floor(views / 10) + 1;
  if (about.startsWith("types 0")) return { read: ({ data }) => data?.[0]?.data[0]?.["pageviews"], value: views };
  if (rpc.endsWith("AnalyzeFunnel") && about === "ten steps")
    return { read: ({ visitors }) => visitors, value: sessions };
  if (rpc === batchRpc) return { read: ({ results }) => countOf(results), value: 100 };
  if (about === "all pages") return { read: (body) => body.sessions, value: sessions };
  return undefined;
}

if (import.meta.main) await runAsScript(bench);
