import type {
  ListQueryTypesReply,
  QueryTypeConfigInit,
  QueryTypeFieldInit,
  QueryTypeMetaInit,
} from "../../gen/lookout/services.ts";
import type { ListQueryTypesRequest } from "../../gen/lookout/v1/query_pb.ts";
import { presetNames } from "../../time/dates.ts";
import { catalogue } from "../catalogue/catalogue.ts";
import { definitions } from "../catalogue/definitions.ts";
import { fieldsWithGoal, isAboutGoals } from "../catalogue/goalTypes.ts";
import type { OutputField, QueryType } from "../catalogue/queryType.ts";
import { allowedFilters } from "../filters/allowedFilters.ts";
import type { QueryCall } from "../queryCall.ts";

/**
 * GET /v1/query/types (specification 4.2): every query type with its filters and limits, and with include_meta its
 * descriptions.
 */
export async function listQueryTypes(request: ListQueryTypesRequest, call: QueryCall): Promise<ListQueryTypesReply> {
  const types = [...catalogue.values()];
  return {
    success: true,
    requestId: call.requestId,
    types: types.map(({ name }) => name),
    configs: Object.fromEntries(types.map((type) => [type.name, configOf(type, request.includeMeta)])),
    presets: [...presetNames],
  };
}

function configOf(type: QueryType, withMeta: boolean): QueryTypeConfigInit {
  return {
    allowedFilters: allowedFilters(type),
    customizable: true,
    defaultLimit: type.defaultLimit,
    publicAccess: type.isPublic,
    ...(withMeta ? { meta: metaOf(type) } : {}),
  };
}

function fieldOf({ name, type, label, unit, from }: OutputField): QueryTypeFieldInit {
  const description = "measure" in from ? definitions[from.measure] : undefined;
  return {
    name,
    type,
    label,
    ...(unit === undefined ? {} : { unit }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Shapes whose rows belong to days or hours. */
const seriesKinds: ReadonlySet<QueryType["shape"]["kind"]> = new Set(["series", "split_series", "retention_rate"]);

function metaOf(type: QueryType): QueryTypeMetaInit {
  const { title, description, category, fields, shape, bucketUnit } = type;
  return {
    title,
    description,
    category,
    outputFields: fields.map(fieldOf),
    supportsGranularity: seriesKinds.has(shape.kind) && bucketUnit === undefined,
    supportsGoal: isAboutGoals(type) || fieldsWithGoal(type).length > 0,
  };
}
