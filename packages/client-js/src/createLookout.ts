import type { DescMethod } from "@bufbuild/protobuf";
import { createContextKey, createContextValues, type Interceptor, type Transport } from "@connectrpc/connect";
import { readApiKey } from "./apiKey.ts";
import { readBaseUrl } from "./baseUrl.ts";
import { callChecks } from "./callChecks.ts";
import { callersInterceptor } from "./callersInterceptor.ts";
import { type CallOptions, unknownOptions } from "./callOptions.ts";
import type { LookoutServices } from "./calls.ts";
import { createService } from "./createService.ts";
import { haveEventIds } from "./eventIds.ts";
import { EventQueue, type EventQueueOptions } from "./eventQueue.ts";
import { IngestService } from "./gen/lookout/v1/ingest_pb.ts";
import { QueryService } from "./gen/lookout/v1/query_pb.ts";
import { Lifetime } from "./lifetime.ts";
import { liveQuery, type WatchOptions } from "./liveQuery.ts";
import { type LookoutQuery, type Parameter, type QueryAnswer, runQuery, type WatchQuery } from "./query.ts";
import type { ReadingRules } from "./readMessage.ts";
import { readQuery } from "./readQuery.ts";
import { requireNone } from "./readRequest.ts";
import type { RetryOptions } from "./retry.ts";
import { createServices } from "./services.ts";
import { requireTimeout } from "./timeouts.ts";

export type LookoutOptions = {
  /** Where Lookout is, such as `https://lookout.example.com`. */
  readonly baseUrl: string;
  /** A key with the scopes that the calls need. */
  readonly apiKey?: string | undefined;
  /** The website of queries, analyses of funnels, goals and journeys, and events that name none. */
  readonly websiteId?: string | undefined;
  /** How long a call may take, with its retries, ms. The default is 35 s: 5 s more than the service takes at most for a query. */
  readonly timeoutMs?: number | undefined;
  /**
   * How long one try of a call may take that may be repeated, ms, so that one that hangs is tried again; the last try may take what is left of
   * timeoutMs. 0 is no limit. The default is 10 s, and no limit for queries, analyses, exports and deletions.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** For calls that may be repeated, as their contract says. The default is 3 attempts, the second one after 200 ms. */
  readonly retry?: Optional<RetryOptions> | undefined;
  /** Come between the client and its transport with every try of a call: for a log, or headers of your own. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** By default 10,000 events wait at most, for at most 1 s, flush() and close() take 5 s, and dropped and blocked events are logged as a warning. */
  readonly events?: Optional<EventQueueOptions> | undefined;
};

/** All members may be left out or undefined. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The client: the calls of all services, queries with typed rows, and a queue of events. */
export type Lookout = LookoutServices & {
  /** Runs a query. Each answer has rows of its parameter's type. */
  query<const P extends readonly Parameter[]>(query: LookoutQuery<P>, options?: CallOptions): Promise<QueryAnswer<P>>;
  /**
   * Answers at once, and again when new events have changed the answer, at most once a second. A lost connection is opened again, and
   * `onReconnect` says so.
   */
  watch<const P extends readonly Parameter[]>(
    query: WatchQuery<P>,
    options?: WatchOptions,
  ): AsyncGenerator<QueryAnswer<P>, void>;
  /** Sends events in batches. */
  readonly events: EventQueue;
  /** Ends the calls that run, refuses later ones (CLOSED), sends the events that wait, for at most 5 s (`events.closeTimeoutMs`), and closes the connections. */
  close(): Promise<void>;
  /** The same for await using. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** Whether a call is one of the queue of events, and not of the program. For interceptors. */
export const isOfQueue = createContextKey(false);

const defaultTimeoutMs = 35_000;
const defaultRetry: RetryOptions = { attempts: 3, firstWaitMs: 200 };
const defaultEvents: EventQueueOptions = {
  maxEvents: 10_000,
  flushIntervalMs: 1_000,
  closeTimeoutMs: 5_000,
  onDropped: (events, error) =>
    console.warn(`[lookout] ${events.length} events were dropped: ${error.code}: ${error.message}`),
  onIgnored: (name, suggestion) =>
    console.warn(
      `[lookout] events have no member ${name}, which is left out${suggestion === undefined ? "" : `. Did you mean ${suggestion}?`}`,
    ),
  onBlocked: (error) => console.warn(`[lookout] events cannot be sent and wait: ${error.code}: ${error.message}`),
};

/** A way to the service. `interceptors` come with every call. */
export type Connection = {
  readonly transport: Transport;
  /** The values that requests are held to before they are sent, without asking the service. */
  readonly allowed?: ReadingRules["allowed"];
  /** What is sent in place of a request that was read. */
  readonly request?: (method: DescMethod, read: unknown) => unknown;
  readonly close?: () => void;
};

const sharedOptions = [
  "baseUrl",
  "apiKey",
  "websiteId",
  "timeoutMs",
  "attemptTimeoutMs",
  "retry",
  "interceptors",
  "events",
] satisfies (keyof LookoutOptions)[];

/** Makes the client of a connection, which has these options of its own. `owner` is what has them in messages. */
export function createClientOf(
  options: LookoutOptions,
  connect: (baseUrl: string, interceptors: Interceptor[]) => Connection,
  ownOptions: readonly string[] = [],
  owner = "createLookout",
): Lookout {
  requireNone([
    ...unknownOptions(options, [...sharedOptions, ...ownOptions], owner),
    ...unknownOptions(options.retry ?? {}, Object.keys(defaultRetry), "retry", "retry."),
    ...unknownOptions(options.events ?? {}, Object.keys(defaultEvents), "events", "events."),
  ]);
  const { websiteId, timeoutMs = defaultTimeoutMs, attemptTimeoutMs } = options;
  const baseUrl = readBaseUrl(options.baseUrl);
  const apiKey = readApiKey(options.apiKey);
  requireTimeout(timeoutMs);
  requireTimeout(attemptTimeoutMs, "attemptTimeoutMs");
  const { transport, allowed, request, close } = connect(baseUrl, [
    ...(options.interceptors ?? []).map(callersInterceptor),
    ...(apiKey === undefined ? [] : [withKey(apiKey)]),
  ]);
  const lifetime = new Lifetime();
  const service = {
    transport,
    baseUrl,
    timeoutMs,
    attemptTimeoutMs,
    retry: withDefaults(defaultRetry, options.retry),
    lifetime,
    checks: callChecks(baseUrl, { allowed }, request),
    websiteId,
    haveEventIds,
  };
  const services = createServices(service);
  // Of errors about a query, which has no member `query` here.
  const queries = createService(QueryService, {
    ...service,
    checks: callChecks(baseUrl, { allowed, unnamed: "query" }, request),
  });
  // Events are still sent while the client is being closed. The queue tries again by itself.
  const retry = { ...service.retry, attempts: 1 };
  const ingest = createService(IngestService, { ...service, retry, lifetime: new Lifetime() });
  const events = new EventQueue(
    async (messages, signal) => {
      const payloads = messages.map((value) => ({ payload: { case: "flat" as const, value } }));
      const contextValues = createContextValues().set(isOfQueue, true);
      return (await ingest.batch({ websiteId, events: payloads }, { signal, contextValues })).results;
    },
    withDefaults(defaultEvents, options.events),
  );
  // A program in JavaScript may pass no query, which is refused later by its missing parameters.
  const withWebsite = <Q extends WatchQuery>(query: Q): Q => ({ ...query, websiteId: query?.websiteId ?? websiteId });
  const end = async () => {
    lifetime.close();
    await events.close();
    close?.();
  };
  return {
    ...services,
    events,
    query: async (query, callOptions) => await runQuery(queries, readQuery(withWebsite(query)), callOptions),
    watch: (query, callOptions) => liveQuery(queries, lifetime, service.retry, withWebsite(query), callOptions),
    close: end,
    [Symbol.asyncDispose]: end,
  };
}

/** Options with a default for each member that is left out or undefined. */
function withDefaults<T extends object>(defaults: T, given: Optional<T> = {}): T {
  const stated = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(stated) };
}

function withKey(apiKey: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${apiKey}`);
    return next(request);
  };
}
