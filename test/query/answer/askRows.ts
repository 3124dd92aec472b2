import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { QueryRequestSchema } from "../../../src/gen/lookout/v1/query_pb.ts";
import { runParameter } from "../../../src/query/answer/runParameter.ts";
import { planQueries } from "../../../src/query/plan/planQuery.ts";
import { visitFinder } from "../../../src/query/visits/findVisits.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";

export type RowsQuery = {
  type: string;
  start: string;
  end: string;
  zone?: string;
  unit?: "day" | "hour";
  filters?: readonly { field: string; op: string; value: JsonValue }[];
  limit?: number;
  page?: number;
};

/** The rows of one query type as the service answers it, without the HTTP around it. Throws what would be the parameter's error. */
export async function askRows(
  reader: Pick<QuestdbReader, "read" | "readEach">,
  websiteId: string,
  { type, start, end, zone = "UTC", unit = "day", filters = [], limit = 1_000, page = 1 }: RowsQuery,
): Promise<JsonObject[]> {
  const request = fromJson(QueryRequestSchema, {
    timezone: zone,
    query: {
      parameters: [{ name: type }],
      startDate: start,
      endDate: end,
      granularity: unit,
      filters: [...filters],
      limit,
      page,
    },
  });
  const work = (await planQueries(request, 0))[0]?.parameters[0]?.work;
  if (work === undefined || "error" in work) throw new Error(work?.error ?? "not planned");
  // Nothing of these rows is stored as sessions.
  return runParameter(
    { ...work, websiteIds: [websiteId] },
    reader,
    visitFinder(async (_websiteIds, range) => [range]),
  );
}
