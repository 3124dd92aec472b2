import { comparedPeriods } from "../../time/comparedRange.ts";
import { answeredRange, rangeSchema } from "./answeredRange.ts";
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
  unknown,
  websiteId,
} from "./tool.ts";
import { smallComparisons, usualGoals, usualRanges } from "./usualGoals.ts";

/** What a visitor does: a step of a funnel, or a goal. */
const action = {
  type: "object",
  properties: {
    name: text("Names it in the answer."),
    page: { description: "A path, or {path, op} with op eq, contains, starts_with, ends_with or matches." },
    event: text("Name of a custom event."),
    // Without the schema of a filter, which is there once already: assistants read all of this before they begin.
    filters: objects("Conditions on the event, like the other filters."),
  },
};

const hints = {
  ACCESS_DENIED: "list_websites lists the websites that this key reaches.",
  QUERY_ERROR: "Choose fewer days or add filters.",
};

const rate = { type: ["number", "null"], description: "Percent; null without visitors." };

/** What every answer of the API says about itself is of no use here; the range is. */
function ownAnswer({ success: _, requestId: __, ...answer }: JsonObject, given: JsonObject): JsonObject {
  const range = answeredRange(given, Date.now());
  return { ...answer, ...(range === undefined ? {} : { range }) };
}

export const funnel: Tool = {
  name: "funnel",
  title: "Analyze a funnel",
  description:
    "Counts how many visitors take two to ten steps one after the other, and where they give up. A step is a page ({page: '/pricing'}) or a custom event ({event: 'signup'}). splitBy says which campaign, country or device converts.",
  input: {
    type: "object",
    properties: {
      websiteId,
      steps: { type: "array", description: "The steps in order.", items: action },
      window: text("How long a visitor may take, an ISO 8601 duration. Default: P7D."),
      splitBy: text("A field to split by, such as country or utm_campaign."),
      ...dateRange,
      filters,
    },
    required: ["websiteId", "steps"],
  },
  output: {
    type: "object",
    properties: {
      visitors: { type: "integer", description: "Who took the first step." },
      converted: { type: "integer", description: "Who took the last step." },
      conversionRate: rate,
      steps: objects(
        "{name, visitors, dropped (went no further than the step before), dropOffRate, conversionRate, stepConversionRate (percent), medianSeconds}",
      ),
      splits: objects("The same for each value of splitBy."),
      range: rangeSchema,
      hints: objects("Names and values that nothing has."),
    },
    required: ["visitors", "converted", "conversionRate", "steps", "splits", "hints"],
  },
  howToGetMore: "Leave out splitBy, filter for the values that matter, or give a larger maxCharacters.",
  synonyms: dateSynonyms,
  fieldNames: { website_id: "websiteId" },
  hints,
  run: async ({ websiteId: website_id, timezone, ...rest }, call) =>
    ownAnswer(await call("FunnelService.AnalyzeFunnel", { website_id, timezone, funnel: rest }), { timezone, ...rest }),
};

export const goals: Tool = {
  name: "goals",
  title: "Analyze goals",
  description:
    "Counts how many visitors reach goals (sign-ups, orders), how often, and which share. splitBy says which source, campaign, entry page or country brought them. A goal is a page ({page: '/thanks'}) or a custom event ({event: 'signup'}; the type custom_events lists them).",
  input: {
    type: "object",
    properties: {
      websiteId,
      goals: { type: "array", description: "Up to 20 goals, each answered on its own.", items: action },
      splitBy: text("A field to split by, such as utm_campaign, referrer_group, entry_page or country."),
      splitLimit: integer(1, 100, "Values at most. Default: 10."),
      attribution: { type: "string", enum: ["visit", "last_non_direct"] },
      granularity: {
        type: "string",
        enum: ["hourly", "daily", "weekly", "monthly"],
        description: "Also by hour, day, week or month.",
      },
      compare: {
        type: "string",
        enum: [...comparedPeriods, "usual"],
        description:
          "Also for another period. usual, for a week at most: the same times of the last four weeks, such as for what an outage cost.",
      },
      value: {
        type: "object",
        properties: { property: { type: "string" }, currencyProperty: { type: "string" } },
        required: ["property"],
        description: "Also answers revenue: the properties of the events with the amount and the currency.",
      },
      ...dateRange,
      filters,
    },
    required: ["websiteId", "goals"],
  },
  output: {
    type: "object",
    properties: {
      goals: objects(
        "One for each, in order: {name, total, splits: [{value, figures}] (value Unknown: a visit had none), series: [{date, figures}]}. Total and figures: {visitors, converted (who reached it), conversionRate (percent), completions (how often), revenue: [{currency, amount}]}; null is unknown, not 0.",
      ),
      comparison: {
        type: "object",
        description:
          "Only with compare: {from, until, complete, goals, unknown} of the other period. Do not compare totals where complete is false.",
      },
      usual: {
        type: "object",
        description:
          "Only with compare usual: {weeks (known ones), goals: [{name, visitors, converted}]}, each as {median, lowest, highest}. goals is null where fewer than 3 weeks are known.",
      },
      range: rangeSchema,
      unknown,
      hints: objects("Names and values that nothing has, figures too small to compare."),
    },
    required: ["goals", "unknown", "hints"],
  },
  howToGetMore: "Leave out granularity, choose a smaller splitLimit, or give a larger maxCharacters.",
  synonyms: dateSynonyms,
  fieldNames: { website_id: "websiteId" },
  hints,
  run: async ({ websiteId: website_id, timezone, compare, ...rest }, call) => {
    const ask = (query: JsonObject) => call("FunnelService.AnalyzeGoals", { website_id, timezone, query });
    const isUsual = compare === "usual";
    const found = await ask(isUsual || compare === undefined ? rest : { ...rest, compare });
    const answer = ownAnswer(found, { timezone, ...rest });
    const own = listOf(answer["goals"]);
    if (!isUsual) {
      const { goals: compared } = (answer["comparison"] ?? {}) as JsonObject;
      return { ...answer, hints: [...listOf(answer["hints"]), ...smallComparisons(own, listOf(compared))] };
    }
    const range = answeredRange({ timezone, ...rest }, Date.now());
    const ranges = range === undefined ? [] : usualRanges(range);
    const same = pick(rest, "goals", "filters", "attribution");
    const { usual, hints: ofUsual } = usualGoals(own, await Promise.all(ranges.map((one) => ask({ ...same, ...one }))));
    return { ...answer, usual, hints: [...listOf(answer["hints"]), ...ofUsual] };
  },
};
