import { randomBytes } from "node:crypto";
import type { BlockList } from "node:net";
import { CookieJar } from "tough-cookie";
import { openConnection, type Phase } from "../../outbound/connection.ts";
import { type Exchange, exchange } from "../../outbound/exchange.ts";
import { failureText } from "../../outbound/failureText.ts";
import { acceptedEncodings, bodyText } from "./bodyText.ts";
import type { CheckOutcome, CheckTarget, JsonAssertion } from "./checkTypes.ts";
import { keepCookies, withCookies } from "./cookies.ts";
import { isExpectedStatus } from "./expectedStatus.ts";
import { type AssertionOutcome, assertionOutcomes, failedAssertion } from "./jsonAssertions.ts";
import { type Hop, nextHop } from "./redirect.ts";

export type CheckSettings = {
  /** Ranges that the operator has opened for checks. */
  readonly allowed: BlockList;
  /** The most that is read of an answer's body, both packed and unpacked. */
  readonly maxBodyBytes: number;
  readonly signal: AbortSignal;
  /** Until when, in Unix ms, a failed check may be repeated. */
  readonly recheckUntilMs: number;
  /** Gets how the assertions fare on an answer. */
  readonly onAssertions?: (outcomes: readonly AssertionOutcome[]) => void;
};

/** RFC 9110 15.4 leaves the number to clients; browsers use 20, the specification 10. */
const maxRedirects = 10;

/**
 * Checks a URL over fresh connections. If the first attempt fails and there is time, it is repeated at once; a failure
 * that is not repeated counts as degraded. Whatever the target does is an outcome; only an abort by the caller rejects.
 */
export async function runCheck(target: CheckTarget, settings: CheckSettings): Promise<CheckOutcome> {
  const first = await tryOnce(target, settings);
  if (first.status !== "down" || Date.now() + target.timeoutMs > settings.recheckUntilMs)
    return { ...first, attempts: 1 };
  const second = await tryOnce(target, settings);
  const whole = { startedMs: first.startedMs, attempts: 2 };
  if (second.status === "down") return { ...second, ...whole, error: first.error };
  return { ...second, ...whole, status: "degraded", error: `at first: ${first.error}` };
}

type Try = Omit<CheckOutcome, "attempts">;

/** What a try measures. */
type Measured = Omit<Try, "status" | "totalMs" | "error" | "startedMs" | "finishedMs">;

/** What is known so far, and the result of a check that fails half-way. */
type Progress = { -readonly [Name in keyof Measured]: Measured[Name] } & { phase: Phase };

async function tryOnce(target: CheckTarget, settings: CheckSettings): Promise<Try> {
  const startedMs = Date.now();
  const began = performance.now();
  const progress: Progress = {
    phase: "resolving the name",
    httpCode: 0,
    dnsMs: 0,
    connectMs: 0,
    tlsMs: 0,
    ttfbMs: 0,
    responseBytes: 0,
  };
  const timeout = AbortSignal.timeout(target.timeoutMs);
  const signal = AbortSignal.any([timeout, settings.signal]);
  let error: string | undefined;
  try {
    error = await follow(target, settings, progress, began, signal);
  } catch (failure) {
    settings.signal.throwIfAborted();
    error = timeout.aborted ? `no answer within ${target.timeoutMs} ms, while ${progress.phase}` : failureText(failure);
  }
  const totalMs = performance.now() - began;
  const isSlow = target.degradedAfterMs > 0 && totalMs > target.degradedAfterMs;
  const { phase: _, ...known } = progress;
  return {
    status: error !== undefined ? "down" : isSlow ? "degraded" : "up",
    ...known,
    totalMs,
    error: error ?? (isSlow ? `took ${Math.round(totalMs)} ms, more than ${target.degradedAfterMs} ms` : undefined),
    startedMs,
    finishedMs: Date.now(),
  };
}

/** Follows redirects to the answer and evaluates it: why it is down, or undefined. */
async function follow(
  target: CheckTarget,
  settings: CheckSettings,
  progress: Progress,
  began: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const cookies = new CookieJar();
  let hop: Hop = { url: firstUrl(target), method: target.method, headers: headersOf(target), body: target.body };
  for (let redirects = 0; ; redirects++) {
    const problem = refusedUrl(hop.url);
    if (problem !== undefined) return problem;
    const answer = await ask(withCookies(hop, cookies), target, settings, progress, began, signal);
    if (typeof answer === "string") return answer;
    keepCookies(answer.headers["set-cookie"], hop.url, cookies);
    const next = nextHop(hop, answer.status, answer.headers["location"]);
    // A monitor that expects a redirect checks that there is one.
    if (next === undefined || isExpectedStatus(answer.status, target.expectedStatus))
      return evaluate(answer, target, settings);
    if (redirects === maxRedirects) return `more than ${maxRedirects} redirects`;
    hop = next;
  }
}

/** One hop: its answer, or why there is none. */
async function ask(
  hop: Hop,
  target: CheckTarget,
  { allowed, maxBodyBytes }: CheckSettings,
  progress: Progress,
  began: number,
  signal: AbortSignal,
): Promise<Exchange | string> {
  const onPhase = (phase: Phase) => {
    progress.phase = phase;
  };
  const family = target.ipVersion === "auto" ? 0 : target.ipVersion === "4" ? 4 : 6;
  const protocols = { auto: ["h2", "http/1.1"], "1.1": ["http/1.1"], "2": ["h2"] }[target.httpVersion];
  const connection = await openConnection(hop.url, { family, allowed, signal, protocols, onPhase });
  progress.dnsMs += connection.dnsMs;
  progress.connectMs += connection.connectMs;
  progress.tlsMs += connection.tlsMs;
  if (connection.certificate !== undefined) {
    progress.sslValid = connection.certificate.problem === undefined;
    progress.sslExpiryMs = connection.certificate.expiryMs;
  }
  const refusal = connection.certificate?.problem ?? wrongProtocol(target, connection.protocol);
  if (refusal !== undefined) {
    connection.socket.destroy();
    return refusal;
  }
  const onStatus = (status: number) => {
    progress.httpCode = status;
    progress.ttfbMs = performance.now() - began;
  };
  // Half of the time: the rest is for what came before.
  const endless = { until: assertionsOf(target).length > 0 ? undefined : target.keyword, maxMs: target.timeoutMs / 2 };
  const answer = await exchange(connection, { ...hop, maxBodyBytes, endless, signal, onPhase, onStatus });
  progress.responseBytes = answer.body.length;
  return answer;
}

async function evaluate(
  answer: Exchange,
  target: CheckTarget,
  { maxBodyBytes, onAssertions }: CheckSettings,
): Promise<string | undefined> {
  if (!isExpectedStatus(answer.status, target.expectedStatus))
    return `HTTP status ${answer.status}, expected ${target.expectedStatus.join(", ")}`;
  const assertions = assertionsOf(target);
  if (target.keyword === "" && assertions.length === 0) return undefined;
  const said = {
    contentEncoding: String(answer.headers["content-encoding"] ?? ""),
    contentType: String(answer.headers["content-type"] ?? ""),
  };
  const content = await bodyText(answer.body, said, maxBodyBytes);
  if ("problem" in content) return content.problem;
  const cut = answer.isCut ? ` in the first ${answer.body.length} bytes` : "";
  const coded = content.unknownCoding === undefined ? "" : `; its Content-Encoding ${content.unknownCoding} is unknown`;
  const outcomes = assertions.length === 0 ? [] : assertionOutcomes(content.text, assertions);
  onAssertions?.(outcomes ?? []);
  if (!content.text.includes(target.keyword))
    return `the keyword ${JSON.stringify(target.keyword)} was not found${cut}${coded}`;
  return failedAssertion(outcomes);
}

function assertionsOf({ jsonParsingConfig }: CheckTarget): readonly JsonAssertion[] {
  return jsonParsingConfig?.enabled ? jsonParsingConfig.assertions : [];
}

function firstUrl({ url, cacheBust }: CheckTarget): URL {
  const first = new URL(url);
  if (cacheBust) first.searchParams.set("_cb", randomBytes(8).toString("hex"));
  return first;
}

function headersOf({ headers, body }: CheckTarget): Record<string, string> {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    "user-agent": "Lookout-Uptime/1.0",
    accept: "*/*",
    "accept-encoding": acceptedEncodings,
    "cache-control": "no-cache",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...given,
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
}

function refusedUrl({ protocol, username, password }: URL): string | undefined {
  if (protocol !== "http:" && protocol !== "https:")
    return `a redirect leads to ${protocol} instead of http: or https:`;
  return username !== "" || password !== "" ? "a redirect leads to an address with a user name" : undefined;
}

function wrongProtocol({ httpVersion }: CheckTarget, protocol: string | undefined): string | undefined {
  return httpVersion === "2" && protocol !== "h2" ? "the server does not speak HTTP/2 over TLS" : undefined;
}
