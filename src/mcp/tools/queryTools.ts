import { ApiError } from "../../errors/errors.ts";
import { catalogue } from "../../query/catalogue/catalogue.ts";
import { seriesLimit } from "../../query/catalogue/queryType.ts";
import { comparedPeriods } from "../../time/comparedRange.ts";
import { organizationOf } from "./allWebsites.ts";
import { answeredRange, rangeSchema } from "./answeredRange.ts";
import { describedTypes } from "./describedTypes.ts";
import {
  dateRange,
  dateSynonyms,
  filters,
  integer,
  type JsonObject,
  listOf,
  objects,
  pick,
  type Tool,
  text,
  texts,
  unknown,
  websiteId,
} from "./tool.ts";

/** Rows of a type that are asked for where the assistant says nothing: enough to answer, few to read. */
const usualRows = 20;

/** Those that answer most questions, so that an assistant need not look for them. */
const usualTypes =
  "50 at most. Usual ones: summary_metrics, events_by_date (series), top_pages, entry_pages, exit_pages (where visits end), traffic_sources, utm_campaigns, country, device_types, custom_events (names and times of events; releases are usually events named deploy), goal_conversions, vitals_by_page (speed), errors_by_page, active_stats (now). Find others with describe_query_types.";

export const describeQueryTypes: Tool = {
  name: "describe_query_types",
  title: "Describe query types",
  description:
    "Finds the query types that the tool query takes, with the columns of their rows. Search by any words, such as 'country visitors'; name types to see their filters too. Without either it lists all names.",
  input: {
    type: "object",
    properties: {
      search: text("Words such as sign-ups by campaign. The best matches come first."),
      types: texts("Names of types to describe."),
    },
  },
  output: {
    type: "object",
    properties: {
      types: objects(
        "The best first: {name, title, description, columns: {name: label and unit}, filters, supportsGranularity (series), supportsGoal}. Further ones have names and titles only.",
      ),
      found: { type: "integer", description: "How many were found." },
      names: { type: "object", description: "All names by category; only without search and types." },
      suggestion: text("What to try instead, such as another tool."),
    },
    required: ["found"],
  },
  howToGetMore: "Search with other words, name the types, or give a larger maxCharacters.",
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
    "Answers figures of a website, a monitor or a short link, by query type, for one period or compared with another. For sign-ups and orders use goals, for steps funnel. Rows come in pages of limit.",
  input: {
    type: "object",
    properties: {
      websiteId,
      monitorId: text("Instead of a website: a monitor, for types about uptime."),
      linkId: text("Instead of a website: a short link, for types about clicks."),
      allWebsites: {
        type: "boolean",
        description:
          "Instead of a website: all that the key reaches, as sums; the types websites and websites_by_date have each.",
      },
      types: texts(usualTypes),
      goal: {
        type: "object",
        description:
          "{event: 'signup'} or {page: {path: '/thanks'}}. Adds conversions and conversion_rate (percent) to rows, such as of top_pages.",
      },
      splitBy: text("For goal_conversions."),
      ...dateRange,
      granularity: {
        type: "string",
        enum: ["hourly", "daily", "weekly", "monthly"],
        description: "Of series. Default: daily.",
      },
      filters,
      compare: {
        type: "string",
        enum: [...comparedPeriods],
        description:
          "Also for another period. previous: the period before. weekdays: the same days of the week before; all_websites has the median of four. year: a year before. An unfinished period is compared with as much of the other.",
      },
      limit: integer(1, 1000, `Rows of each type. Default: ${usualRows}, of series all.`),
      page: { type: "integer", minimum: 1, description: "Page of rows, from 1." },
    },
    required: ["types"],
  },
  output: {
    type: "object",
    properties: {
      answers: objects(
        "One for each type, in the same order: {type, rows, units, hasMore, error}. units are those of columns; others are counts or texts. A series loses its oldest rows first where it is too long. null is unknown or a figure of nothing, not 0. With compare also comparison: {from, until, complete, rows, unknown}, a row for each row. Do not compare totals where complete is false.",
      ),
      range: rangeSchema,
      unknown,
      hints: objects("Names and values that nothing has."),
    },
    required: ["answers", "unknown", "hints"],
  },
  howToGetMore:
    "Ask for fewer types, a smaller limit and then the next page, add filters, or give a larger maxCharacters.",
  synonyms: { ...dateSynonyms, parameters: "types", scheduleId: "monitorId" },
  fieldNames: { parameters: "types", website_id: "websiteId", schedule_id: "monitorId", link_id: "linkId" },
  hints: {
    ACCESS_DENIED: "list_websites lists the websites that this key reaches.",
    MISSING_PROJECT_ID: "Give websiteId, monitorId or linkId, or allWebsites. list_websites lists websites.",
    INVALID_DATE_PRESET: "Give startDate and endDate instead of a preset.",
  },
  argumentHint: {
    names: ["types", "filters", "splitBy"],
    text: "describe_query_types finds types, their columns and their filters.",
  },
  hasFailed: ({ answers }) => listOf(answers).length > 0 && listOf(answers).every(({ error }) => error !== undefined),
  run: async (asked, call) => {
    if (["websiteId", "monitorId", "linkId", "allWebsites"].every((name) => asked[name] === undefined))
      throw new ApiError("MISSING_PROJECT_ID", "It is not said what to query");
    const isFixed = listedNames(asked).every((name) => catalogue.get(name)?.period !== undefined);
    // Types with a period of their own need no dates, but the call does.
    const isUndated = ["preset", "startDate", "endDate"].every((name) => asked[name] === undefined);
    const given = isFixed && isUndated ? { ...asked, preset: "today" } : asked;
    const all = given["allWebsites"] === true ? { organization_id: await organizationOf(call) } : {};
    const answer = await call("QueryService.Query", {
      ...all,
      website_id: given["websiteId"],
      schedule_id: given["monitorId"],
      link_id: given["linkId"],
      timezone: given["timezone"],
      query: {
        parameters: parametersOf(given),
        ...pick(given, "preset", "startDate", "endDate", "granularity", "filters", "compare", "goal", "page", "limit"),
      },
    });
    const { data, meta } = answer as { data: JsonObject[]; meta: { unknown: JsonObject[]; hints: JsonObject[] } };
    const range = isFixed ? undefined : answeredRange(given, Date.now());
    return {
      answers: data.map((result) => queryAnswer(result, limitOf(given, String(result["parameter"])))),
      ...(range === undefined ? {} : { range }),
      unknown: meta.unknown,
      hints: meta.hints,
    };
  },
};

function listedNames({ types }: JsonObject): readonly string[] {
  return Array.isArray(types) ? types.map(String) : [];
}

/** Each type with its number of rows. */
function parametersOf(given: JsonObject): unknown {
  const { types, splitBy } = given;
  if (!Array.isArray(types)) return types;
  return types.map((name) => {
    if (typeof name !== "string") return name;
    const split = name === "goal_conversions" && splitBy !== undefined ? { split_by: splitBy } : {};
    return { name, limit: limitOf(given, name), ...split };
  });
}

/** The rows of a type: of a series all, since the newest come last. */
function limitOf({ limit }: JsonObject, name: string): number {
  if (typeof limit === "number") return limit;
  const type = catalogue.get(name);
  return type?.defaultLimit === seriesLimit ? seriesLimit : usualRows;
}

function queryAnswer({ parameter, data, error, comparison }: JsonObject, limit: number): JsonObject {
  const rows = listOf(data);
  return {
    type: parameter,
    rows,
    ...unitsOf(String(parameter), rows),
    hasMore: rows.length >= limit,
    ...(comparison === undefined ? {} : { comparison: comparedAnswer(comparison as JsonObject) }),
    ...(typeof error === "string" ? { error } : {}),
  };
}

/** The units of the columns that the rows have; a share says of what it is one. */
function unitsOf(type: string, rows: readonly JsonObject[]): JsonObject {
  const units = (catalogue.get(type)?.fields ?? []).flatMap(({ name, unit, label, from }) =>
    unit !== undefined && rows.some((row) => name in row)
      ? [[name, "share" in from ? `${unit} (${label.toLowerCase()})` : unit]]
      : [],
  );
  return units.length === 0 ? {} : { units: Object.fromEntries(units) };
}

function comparedAnswer({ data, ...period }: JsonObject): JsonObject {
  return { ...period, rows: data };
}
