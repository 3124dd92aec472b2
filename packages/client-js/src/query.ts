import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { aliveMessages } from "./aliveMessages.ts";
import type { CallOptions } from "./callOptions.ts";
import type { FilterField, VisitField } from "./filterFields.ts";
import type { ErrorDetail } from "./gen/lookout/v1/error_pb.ts";
import type {
  QueryFilterSchema,
  QueryGoalSchema,
  QueryRequestSchema,
  QueryResponse,
  QuerySchema,
  WatchRequestSchema,
  WatchResponse,
  QueryAnswer as WireAnswer,
  ComparedRows as WireComparison,
} from "./gen/lookout/v1/query_pb.ts";
import type { FilterValue } from "./jsonInput.ts";
import { LookoutError, type LookoutErrorDetail } from "./lookoutError.ts";
import { sameResponse } from "./responseOf.ts";
import type { Rows } from "./rows.ts";
import type { TextTime } from "./textTimes.ts";
import type { Attribution, ComparedPeriod, DatePreset, Granularity, PageOperator, UnknownReason } from "./valueSets.ts";

/** The name of a query type. */
export type QueryTypeName = keyof Rows;

/** What to query: the name of a query type, or an object. */
export type Parameter =
  | QueryTypeName
  | {
      /** The query type. */
      readonly name: QueryTypeName;
      /** Names the answer instead of the name. */
      readonly id?: string | undefined;
      /** Replaces the first day or instant of the query. */
      readonly startDate?: TextTime | undefined;
      /** Replaces the last day of the query, or the instant at which it ends. */
      readonly endDate?: TextTime | undefined;
      /** Replaces the length of the buckets of the query. */
      readonly granularity?: Granularity | undefined;
      /** Replaces the number of rows of the query, at most 10,000. */
      readonly limit?: number | undefined;
      /** Splits `goal_conversions` by this field of visits, such as `utm_campaign`. */
      readonly splitBy?: VisitField | undefined;
      /** Which source a visit has there: its own, or that of the visitor's latest visit of the last 30 days that has one. */
      readonly attribution?: Attribution | undefined;
    };

export type Filter = {
  /** Such as `path`, `country`, `device_type` or `properties.<key>`. Each query type takes those of its rows. */
  readonly field: FilterField;
} & (
  | {
      /** In `matches`, `*` is any characters and `?` is one. */
      readonly op:
        | "eq"
        | "ne"
        | "contains"
        | "not_contains"
        | "starts_with"
        | "ends_with"
        | "matches"
        | "in"
        | "not_in";
      readonly value: FilterValue;
    }
  | { readonly op: "is_empty" | "is_not_empty"; readonly value?: "" }
);

/** The days of a query: a preset, or the first and last day (YYYY-MM-DD) or two instants (a Date or ISO 8601, the last one not included). */
export type Range =
  | { readonly preset: DatePreset; readonly startDate?: undefined; readonly endDate?: never }
  | { readonly preset?: undefined; readonly startDate: TextTime; readonly endDate: TextTime };

/**
 * A period to compare with: as many days before, or for presets of weeks, months and years the one before; the closest days before that are
 * the same days of the week; the same dates of the year before; or a first and last day.
 */
export type Compare = ComparedPeriod | { readonly startDate: TextTime; readonly endDate: TextTime };

/** The path of a page, or how it is compared. */
export type GoalPage = string | { readonly path: string; readonly op?: PageOperator | undefined };

/** What visitors should achieve: a page that is viewed, or a custom event that happens. */
export type Goal = (
  | {
      /** The page that is viewed. */
      readonly page: GoalPage;
    }
  | {
      /** The name of the custom event. */
      readonly event: string;
    }
) & {
  /** Names the goal in the answer. The default is its path or event. */
  readonly name?: string | undefined;
  /** All of them must hold for the same event. */
  readonly filters?: readonly Filter[] | undefined;
  /** The properties of the events with the amount and the currency: rows of `goal_conversions` get revenue. */
  readonly value?: { readonly property: string; readonly currencyProperty?: string | undefined } | undefined;
};

export type WatchQuery<P extends readonly Parameter[] = readonly Parameter[]> = Range & {
  /** The website to query. The default is that of createLookout. */
  readonly websiteId?: string | undefined;
  /** Several websites to query instead of one: sums of them, and a row of each with the query types of websites. */
  readonly websiteIds?: readonly string[] | undefined;
  /** The organization to query instead of a website: all of its websites that the credentials reach. */
  readonly organizationId?: string | undefined;
  /** What to query: names of query types, or objects. Each succeeds or fails on its own. */
  readonly parameters: P;
  /** IANA time zone of presets, bounds and buckets. The default is UTC. */
  readonly timezone?: string | undefined;
  /** The default is daily. */
  readonly granularity?: Granularity | undefined;
  /** All of them must hold. */
  readonly filters?: readonly Filter[] | undefined;
  /** Also answers summaries, series, tables and goals for another period. */
  readonly compare?: Compare | undefined;
  /** Breakdowns of visits carry how many of their visitors reached it; `goal_conversions` is about it instead of the website's own goals. */
  readonly goal?: Goal | undefined;
  /** Rows of each parameter, at most 10,000. */
  readonly limit?: number | undefined;
  /** Page of rows of each parameter, from 1. */
  readonly page?: number | undefined;
};

export type LookoutQuery<P extends readonly Parameter[] = readonly Parameter[]> = WatchQuery<P> & {
  /** The uptime monitor to query, instead of a website. */
  readonly scheduleId?: string | undefined;
  /** The short link to query, instead of a website. */
  readonly linkId?: string | undefined;
};

/** The answer to one parameter. `parameter` is its id or name. */
export type ParameterAnswer<N extends QueryTypeName> =
  | {
      readonly parameter: string;
      readonly success: true;
      /** The rows. */
      readonly data: readonly Rows[N][];
      readonly error: null;
      readonly detail: null;
      /** Only with `compare`, and only for summaries, series and tables. */
      readonly comparison: ComparedRows<Rows[N]> | null;
    }
  | {
      readonly parameter: string;
      readonly success: false;
      readonly data: null;
      /** Why there are no rows, as a sentence. */
      readonly error: string;
      /** Which field of the query is wrong for this parameter, with the nearest valid value; null where none is. */
      readonly detail: LookoutErrorDetail | null;
      readonly comparison: null;
    };

/** The same question about another period (`from` and `until` are ISO 8601 in UTC; `until` does not belong to it). */
export type ComparedRows<Row> = {
  readonly from: string;
  readonly until: string;
  /** Whether totals may be compared: less than 1 % of either range is unknown. */
  readonly isComplete: boolean;
  /** Times of the period whose events are unknown. */
  readonly unknown: readonly UnknownTime[];
  /** A row for each row of the answer. Figures are null where there is no such bucket and where nothing is known. */
  readonly data: readonly { readonly [Field in keyof Row]: Row[Field] | null }[];
};

/** The query type of a parameter. */
export type NameOf<P extends Parameter> = P extends { readonly name: infer N extends QueryTypeName }
  ? N
  : P & QueryTypeName;

/** The answer to a query: an entry for each parameter, in their order, with rows of its type. */
export type QueryAnswer<P extends readonly Parameter[] = readonly Parameter[]> = {
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** An answer to each parameter, in their order. */
  readonly data: { readonly [K in keyof P]: ParameterAnswer<NameOf<P[K]>> };
  /** The page of rows, from 1. */
  readonly page: number;
  /** Rows of each parameter at most. */
  readonly limit: number;
  /** Whether nothing was stored between the first parameter and the last, so that all reflect the same events. */
  readonly isConsistent: boolean;
  /** Times whose events are unknown. A series has null for each figure of a bucket within them. */
  readonly unknown: readonly UnknownTime[];
  /** What to know about the answer: names that no event has, what an attribution misses. */
  readonly hints: readonly AnswerHint[];
};

/** Something to know about an answer. */
export type AnswerHint = {
  /** The part of the request that it is about, such as `filters[0].value`. */
  readonly field: string;
  /** What to know, as a sentence. */
  readonly message: string;
  /** What was probably meant. */
  readonly suggestion: string | null;
};

/** A time (ISO 8601, UTC; `until` does not belong to it), and why its events are unknown. */
export type UnknownTime = {
  readonly from: string;
  readonly until: string;
  /** Why nothing is known of it. */
  readonly reason: UnknownReason;
};

/** The calls that queries make. */
export type QueryCalls = {
  query(request: MessageInitShape<typeof QueryRequestSchema>, options?: CallOptions): Promise<QueryResponse>;
  watch(request: MessageInitShape<typeof WatchRequestSchema>, options?: CallOptions): AsyncIterable<WatchResponse>;
};

/** Runs a query. */
export async function runQuery<const P extends readonly Parameter[]>(
  queries: QueryCalls,
  query: LookoutQuery<P>,
  options?: CallOptions,
): Promise<QueryAnswer<P>> {
  const answer = await queries.query(queryRequestOf(query), options);
  return sameResponse(queryAnswerOf<P>(answer), answer);
}

/** The request of a query, as the service takes it. */
export function queryRequestOf(query: LookoutQuery): MessageInitShape<typeof QueryRequestSchema> {
  const { scheduleId, linkId, ...rest } = query;
  const { websiteId, ...request } = requestOf(rest);
  // The service takes one subject: the default website is none where another one is named.
  const isOfWebsite = scheduleId === undefined && linkId === undefined;
  return { ...request, websiteId: isOfWebsite ? websiteId : undefined, scheduleId, linkId };
}

/** The service's answer to such a request. Throws a LookoutError for that to another kind of request. */
export function queryAnswerOf<P extends readonly Parameter[]>({
  single,
}: Pick<QueryResponse, "single">): QueryAnswer<P> {
  return answerOf<P>(single);
}

/**
 * Answers at once, and again when new events have changed the answer. `keepAliveSeconds` is how often something comes at least, by which a
 * lost connection is noticed; without it the stream may be quiet.
 */
export async function* watchQuery<const P extends readonly Parameter[]>(
  queries: QueryCalls,
  query: WatchQuery<P>,
  options: CallOptions = {},
  keepAliveSeconds?: number,
): AsyncGenerator<QueryAnswer<P>, void> {
  const request = { ...requestOf(query), keepAliveSeconds };
  const open = (own: CallOptions) => queries.watch(request, own);
  const messages = keepAliveSeconds === undefined ? open(options) : aliveMessages(open, options, keepAliveSeconds);
  // Messages without an answer only say that the stream is alive.
  for await (const { answer } of messages) if (answer !== undefined) yield answerOf<P>(answer);
}

function requestOf(query: WatchQuery) {
  const { websiteId, websiteIds, organizationId, timezone, parameters, filters, compare, goal, ...rest } = query;
  const asked: MessageInitShape<typeof QuerySchema> = {
    ...rest,
    compare: typeof compare === "string" ? { period: compare } : compare,
    parameters: parameters.map((parameter) => (typeof parameter === "string" ? { name: parameter } : parameter)),
    filters: filtersOf(filters),
    goal: goal === undefined ? undefined : goalOf(goal),
  };
  return {
    websiteId: organizationId === undefined && websiteIds === undefined ? websiteId : undefined,
    websiteIds: websiteIds === undefined ? undefined : [...websiteIds],
    organizationId,
    timezone,
    query: asked,
  };
}

/** A list in a filter is not changed. */
function filtersOf(filters: readonly Filter[] | undefined): MessageInitShape<typeof QueryFilterSchema>[] | undefined {
  return filters?.map(({ value = "", ...filter }) => ({ ...filter, value: fromJson(ValueSchema, value as JsonValue) }));
}

function goalOf(goal: Goal): MessageInitShape<typeof QueryGoalSchema> {
  const { filters, event, page, ...rest } = goal as Goal & { readonly event?: string; readonly page?: GoalPage };
  const action =
    event !== undefined || page === undefined
      ? ({ case: "event", value: event ?? "" } as const)
      : ({ case: "page", value: typeof page === "string" ? { path: page } : page } as const);
  return { ...rest, action, filters: filtersOf(filters) };
}

/** The service answers each parameter in the order of the request with the rows of its type, which the catalogue describes. */
function answerOf<P extends readonly Parameter[]>(answer: WireAnswer | undefined): QueryAnswer<P> {
  if (answer?.meta === undefined) throw new LookoutError("BAD_ANSWER", "The service answered another kind of query");
  const { requestId, data, meta } = answer;
  const answers = data.map(({ parameter, success, data, error, detail, comparison }) =>
    success
      ? { parameter, success, data, error: null, detail: null, comparison: comparedRows(comparison) }
      : { parameter, success, data: null, error: error ?? "", detail: detailOf(detail), comparison: null },
  );
  return {
    requestId,
    data: answers as unknown as QueryAnswer<P>["data"],
    page: meta.page,
    limit: meta.limit,
    isConsistent: meta.consistent,
    unknown: unknownTimes(meta.unknown),
    hints: meta.hints.map(({ field, message, suggestion = null }) => ({ field, message, suggestion })),
  };
}

function detailOf(detail: ErrorDetail | undefined): LookoutErrorDetail | null {
  if (detail === undefined) return null;
  const { field, message, suggestion } = detail;
  return { field, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

function comparedRows(comparison: WireComparison | undefined) {
  if (comparison === undefined) return null;
  const { from, until, complete, data, unknown } = comparison;
  return { from, until, isComplete: complete, unknown: unknownTimes(unknown), data };
}

function unknownTimes(times: WireComparison["unknown"]): UnknownTime[] {
  return times.map(({ from, until, reason }) => ({ from, until, reason }));
}
