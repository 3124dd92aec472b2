import { fromJson, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { authRequired } from "../access/authorize.ts";
import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type {
  ParameterResultSchema,
  QueryMetaSchema,
  QueryParameter,
  QueryRequest,
  QueryResponseSchema,
} from "../gen/lookout/v1/query_pb.ts";
import { isStoreAway } from "../store/storeAway.ts";
import { type PlannedParameter, type PlannedQuery, planQueries } from "./planQuery.ts";
import { accessDenied, type Project, resolveProject } from "./project.ts";
import { runConcurrently } from "./runConcurrently.ts";
import { runParameter } from "./runParameter.ts";

/** Half of a process's reading connections, so that one request with many parameters leaves room for others. */
const parametersAtOnce = 4;

/**
 * POST /v1/query (specification 4.1): answers each parameter of one query, or of a batch, on its own and in the order sent.
 *
 * Throws VALIDATION_ERROR or INVALID_DATE_PRESET, then MISSING_PROJECT_ID, then ACCESS_DENIED or AUTH_REQUIRED, and
 * SERVICE_UNAVAILABLE when no parameter could reach the event store.
 */
export async function query(
  request: QueryRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof QueryResponseSchema>> {
  const queries = planQueries(request, Date.now());
  const project = await resolveProject(request, call);
  if (project.publicOnly) requirePublicTypes(queries, call);
  const results = await answerQueries(queries, project, call);
  const { requestId } = call;
  if (request.query === undefined) return { batch: { success: true, requestId, batch: true, results } };
  return { single: { success: true, requestId, ...results[0] } };
}

function requirePublicTypes(queries: readonly PlannedQuery[], call: CallContext): void {
  const allPublic = queries.every(({ parameters }) => parameters.every(({ type }) => type.isPublic));
  if (!allPublic) throw call.caller === undefined ? authRequired() : accessDenied();
}

type Result = {
  queryId: string;
  data: MessageInitShape<typeof ParameterResultSchema>[];
  meta: MessageInitShape<typeof QueryMetaSchema>;
};

type Outcome = { readonly rows: JsonObject[] } | { readonly error: string; readonly storeAway?: unknown };

async function answerQueries(queries: readonly PlannedQuery[], project: Project, call: CallContext): Promise<Result[]> {
  const parameters = queries.flatMap((planned) => planned.parameters);
  const pairs = await runConcurrently(
    parameters,
    parametersAtOnce,
    async (parameter) => [parameter, await answerParameter(parameter, project, call)] as const,
  );
  const away = pairs.flatMap(([, outcome]) => ("storeAway" in outcome ? [outcome.storeAway] : []));
  if (away.length > 0 && away.length === pairs.length)
    throw new ApiError("SERVICE_UNAVAILABLE", "The event store does not answer. Try again in a few seconds", {
      headers: { "retry-after": "5" },
      cause: away[0],
    });
  const outcomes = new Map(pairs);
  return queries.map((planned) => ({
    queryId: planned.query.id ?? "",
    data: planned.parameters.map((parameter) => parameterResult(parameter.label, outcomes.get(parameter))),
    meta: metaOf(planned),
  }));
}

async function answerParameter(
  { type, work }: PlannedParameter,
  { websiteIds }: Project,
  call: CallContext,
): Promise<Outcome> {
  if ("error" in work) return work;
  const error = "The query could not be executed. Try again or narrow the range";
  // Nobody reads the answer any more.
  if (call.signal.aborted) return { error };
  try {
    return { rows: await runParameter({ ...work, websiteIds }, call.app.questdb) };
  } catch (failure) {
    call.app.log.error({ requestId: call.requestId, queryType: type.name, err: failure }, "query parameter failed");
    return isStoreAway(failure) ? { error, storeAway: failure } : { error };
  }
}

function parameterResult(
  parameter: string,
  outcome: Outcome | undefined,
): MessageInitShape<typeof ParameterResultSchema> {
  if (outcome !== undefined && "rows" in outcome) return { parameter, success: true, data: outcome.rows };
  return { parameter, success: false, data: [], error: outcome?.error };
}

function metaOf({ query, page, limit }: PlannedQuery): MessageInitShape<typeof QueryMetaSchema> {
  return {
    parameters: query.parameters.map(asSent),
    totalParameters: query.parameters.length,
    page,
    limit,
    filtersApplied: query.filters.length,
  };
}

/** A parameter with nothing but a name was, or could have been, sent as that string. */
function asSent({ name, id, startDate, endDate, granularity }: QueryParameter): Value {
  const more = Object.entries({ id, start_date: startDate, end_date: endDate, granularity }).filter(
    ([, value]) => value !== undefined,
  );
  return fromJson(ValueSchema, more.length === 0 ? name : { name, ...Object.fromEntries(more) });
}
