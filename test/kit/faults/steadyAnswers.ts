import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { TestWebsite } from "../calls/website.ts";
import { differenceFromOracle } from "../oracle/differenceFromOracle.ts";
import type { AnsweredQuery } from "../oracle/oracleWebsite.ts";
import { sentFilter } from "../oracle/randomQuery.ts";
import { pick } from "../random/randomEvents.ts";

/** What queries were answered while faults went on. */
export type AskedAnswers = {
  /** Answers that were compared with the expected ones. */
  compared: number;
  /** The first wrong answers as a whole, and those after them. */
  readonly wrong: string[];
  wrongInAll: number;
  /** Calls without an answer, by status, message or network error. */
  readonly refused: Map<string, number>;
};

export type Asking = { readonly answers: AskedAnswers; stop(): Promise<AskedAnswers> };

/**
 * How a question may be refused while a store or the service is away or hangs, or its disk or mappings fail. All other refusals are defects: an answer
 * that does not come, an internal error, a caller who is not known any more.
 */
const expectedRefusals = [
  /^TypeError /,
  /^503 .*SERVICE_UNAVAILABLE/,
  /^200 The query could not be executed\. Try again or narrow the range$/,
  /^200 The request was stopped after 30 s\./,
];

/** The refusals that no fault explains, with how often each came. */
export function unexpectedRefusals({ refused }: AskedAnswers): string[] {
  return [...refused]
    .filter(([refusal]) => !expectedRefusals.some((expected) => expected.test(refusal)))
    .map(([refusal, times]) => `${times} x ${refusal}`);
}

/** Longer than QUERY_TIMEOUT_MS: the service answers by itself. */
const timeoutMs = 60_000;
const pauseMs = 50;
const kept = 5;

/**
 * Asks one question after the other of a website whose rows never change, and compares each answer with that of the oracle. An answer may
 * be missing while a store is away, and none may be wrong.
 */
export function askAllTheTime(
  baseUrls: readonly string[],
  { websiteId, apiKey }: Pick<TestWebsite, "websiteId" | "apiKey">,
  queries: readonly AnsweredQuery[],
  askers: number,
  random: () => number,
): Asking {
  const answers: AskedAnswers = { compared: 0, wrong: [], wrongInAll: 0, refused: new Map() };
  const stopping = new AbortController();
  const askOnce = async (baseUrl: string) => {
    const { query, facts } = pick(random, queries);
    const answer = await ask(`${baseUrl}/v1/query?website_id=${websiteId}`, apiKey, query);
    if (typeof answer === "string") {
      answers.refused.set(answer, (answers.refused.get(answer) ?? 0) + 1);
      return;
    }
    answers.compared += 1;
    const difference = differenceFromOracle(answer, facts, query);
    if (difference === undefined) return;
    answers.wrongInAll += 1;
    if (answers.wrong.length < kept) answers.wrong.push(`${new Date().toISOString()} ${difference}`);
  };
  const running = Array.from({ length: askers }, async (_, asker) => {
    for (let turn = asker; !stopping.signal.aborted; turn += 1) {
      await askOnce(String(baseUrls[turn % baseUrls.length]));
      await pause(pauseMs);
    }
  });
  return {
    answers,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      return answers;
    },
  };
}

/** The rows, or why there are none. */
async function ask(
  url: string,
  apiKey: string,
  { type, start, end, zone, unit, filters, limit, page }: AnsweredQuery["query"],
): Promise<JsonObject[] | string> {
  const body = {
    parameters: [type.name],
    startDate: start,
    endDate: end,
    granularity: unit,
    filters: filters.map(sentFilter),
    limit,
    page,
  };
  try {
    const response = await fetch(`${url}&timezone=${encodeURIComponent(zone)}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    // The question is wrong, not the answer.
    if (response.status === 400) throw new RangeError(text);
    if (!response.ok) return `${response.status} ${withoutIds(text)}`;
    const answer: { data: [{ success: boolean; data: JsonObject[]; error: string | null }] } = JSON.parse(text);
    const [{ success, data, error }] = answer.data;
    return success ? data : `${response.status} ${error}`;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return error instanceof Error
      ? `${error.name} ${error.cause instanceof Error ? error.cause.message : ""}`
      : "unknown";
  }
}

function withoutIds(text: string): string {
  return text.replace(/"requestId":"[^"]*",?/, "").slice(0, 200);
}
