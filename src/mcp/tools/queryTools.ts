import { comparedPeriods } from "../../time/comparedRange.ts";
import { describedTypes } from "./describedTypes.ts";
import { dateRange, filters, type JsonObject, pick, type Tool, websiteId } from "./tool.ts";

/** Rows of a type that are asked for where the assistant says nothing: enough to answer, few to read. */
const usualRows = 20;

const columns = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      type: { type: "string" },
      label: { type: "string" },
      unit: { type: "string" },
    },
    required: ["name", "type", "label"],
  },
};

const unknown = {
  type: "array",
  description: "Times whose events are unknown, not 0.",
  items: {
    type: "object",
    properties: { from: { type: "string" }, until: { type: "string" }, reason: { type: "string" } },
    required: ["from", "until", "reason"],
  },
};

export const describeQueryTypes: Tool = {
  name: "describe_query_types",
  title: "Describe query types",
  description:
    "Finds the query types that the tool query takes, with the columns of their rows and their filters. Search by words such as 'country visitors', or name types. Without either it lists all names.",
  input: {
    type: "object",
    properties: {
      search: { type: "string", description: "Words that name, title, description, category or columns hold." },
      types: { type: "array", items: { type: "string" }, description: "Names of types to describe." },
    },
  },
  output: {
    type: "object",
    properties: {
      types: {
        type: "array",
        description: "The types that were found, the best first.",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            title: { type: "string" },
            description: { type: "string" },
            category: { type: "string" },
            columns: { ...columns, description: "The columns of a row." },
            filters: { type: "array", items: { type: "string" }, description: "The fields that filters may name." },
            supportsGranularity: { type: "boolean", description: "Whether rows belong to hours or days." },
            supportsGoal: { type: "boolean" },
          },
          required: ["name", "title"],
        },
      },
      found: { type: "integer", description: "How many were found; not all of them are described." },
      presets: { type: "array", items: { type: "string" }, description: "Names of date ranges." },
      suggestion: { type: "string", description: "What to try where nothing was found." },
    },
    required: ["types", "found"],
  },
  howToGetMore: "Search with more words, or name the types.",
  run: async (given, call) =>
    describedTypes(await call("QueryService.ListQueryTypes", { include_meta: true }), {
      search: typeof given["search"] === "string" ? given["search"] : "",
      names: Array.isArray(given["types"]) ? given["types"].map(String) : [],
    }),
};

export const query: Tool = {
  name: "query",
  title: "Query figures",
  description:
    "Answers figures of a website, a monitor or a short link, by query type: summary_metrics, top_pages, countries and some 150 more. Look the names up with describe_query_types. Rows come in pages of limit.",
  input: {
    type: "object",
    properties: {
      websiteId,
      monitorId: { type: "string", description: "Instead of a website: a monitor, for types about uptime." },
      linkId: { type: "string", description: "Instead of a website: a short link, for types about clicks." },
      types: { type: "array", items: { type: "string" }, description: "Query types, 50 at most." },
      goal: {
        type: "object",
        description:
          "{event: 'signup'} or {page: {path: '/thanks'}}. Adds conversions and conversion_rate to rows of types with supportsGoal.",
      },
      splitBy: { type: "string", description: "For goal_conversions." },
      ...dateRange,
      granularity: {
        type: "string",
        enum: ["hourly", "daily", "weekly", "monthly"],
        description: "Of series. The default value is daily.",
      },
      filters,
      compare: {
        type: "string",
        enum: [...comparedPeriods],
        description:
          "Also answers for another period: previous is the period before, weekdays the closest one before on the same days of the week, year the same dates of the year before.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 1000,
        description: `Rows of each type. The default value is ${usualRows}.`,
      },
      page: { type: "integer", minimum: 1, description: "Page of rows, from 1." },
    },
    required: ["types"],
  },
  output: {
    type: "object",
    properties: {
      answers: {
        type: "array",
        description: "One for each type, in the same order.",
        items: {
          type: "object",
          properties: {
            type: { type: "string" },
            rows: {
              type: "array",
              items: { type: "object", additionalProperties: true },
              description:
                "Columns as describe_query_types names them. null is a figure of nothing, such as a rate of no visits: not 0.",
            },
            hasMore: { type: "boolean", description: "Whether there may be another page." },
            comparison: {
              type: "object",
              description: "Only with compare: the other period.",
              properties: {
                from: { type: "string", description: "Its start, ISO 8601 in UTC." },
                until: { type: "string", description: "Its end, not included, ISO 8601 in UTC." },
                complete: {
                  type: "boolean",
                  description: "false when 1 % or more of either period is unknown: do not compare totals then.",
                },
                rows: {
                  type: "array",
                  items: { type: "object", additionalProperties: true },
                  description: "For each row the one to compare with. null is unknown, not 0.",
                },
                unknown,
              },
              required: ["from", "until", "complete", "rows", "unknown"],
            },
            error: { type: "string", description: "Why this type could not be answered." },
          },
          required: ["type", "rows", "hasMore"],
        },
      },
      unknown,
      hints: { type: "array", items: { type: "object" }, description: "Names that no event has." },
    },
    required: ["answers", "unknown", "hints"],
  },
  howToGetMore: "Ask for fewer types, a smaller limit and then the next page, or add filters.",
  hints: {
    ACCESS_DENIED: "list_websites lists the websites that this key reaches.",
    MISSING_PROJECT_ID: "Give websiteId, monitorId or linkId. list_websites lists websites.",
    VALIDATION_ERROR: "describe_query_types finds types, their columns and their filters.",
    INVALID_DATE_PRESET: "Give startDate and endDate instead of a preset.",
  },
  run: async (given, call) => {
    const limit = typeof given["limit"] === "number" ? given["limit"] : usualRows;
    const answer = await call("QueryService.Query", {
      website_id: given["websiteId"],
      schedule_id: given["monitorId"],
      link_id: given["linkId"],
      timezone: given["timezone"],
      query: {
        parameters: parametersOf(given),
        ...pick(given, "preset", "startDate", "endDate", "granularity", "filters", "compare", "goal", "page"),
        limit,
      },
    });
    const { data, meta } = answer as { data: JsonObject[]; meta: { unknown: JsonObject[]; hints: JsonObject[] } };
    return {
      answers: data.map((result) => queryAnswer(result, limit)),
      unknown: meta.unknown,
      hints: meta.hints,
    };
  },
};

function parametersOf({ types, splitBy }: JsonObject) {
  if (splitBy === undefined || !Array.isArray(types)) return types;
  return types.map((name) => (name === "goal_conversions" ? { name, split_by: splitBy } : name));
}

function queryAnswer({ parameter, data, error, comparison }: JsonObject, limit: number): JsonObject {
  const rows = Array.isArray(data) ? data : [];
  return {
    type: parameter,
    rows,
    hasMore: rows.length >= limit,
    ...(comparison === undefined ? {} : { comparison: comparedAnswer(comparison as JsonObject) }),
    ...(typeof error === "string" ? { error } : {}),
  };
}

function comparedAnswer({ data, ...period }: JsonObject): JsonObject {
  return { ...period, rows: data };
}
