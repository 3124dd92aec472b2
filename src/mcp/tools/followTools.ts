import { comparedPeriods } from "../../time/comparedRange.ts";
import { dateRange, filters, type Tool, websiteId } from "./tool.ts";

/** What a visitor does: a step of a funnel, or a goal. */
const action = {
  type: "object",
  properties: {
    name: { type: "string", description: "Names it in the answer." },
    page: { description: "A path, or {path, op} with op eq, contains, starts_with, ends_with or matches." },
    event: { type: "string", description: "Name of a custom event." },
    // Without the schema of a filter, which is there once already: assistants read all of this before they begin.
    filters: {
      type: "array",
      items: { type: "object" },
      description: "Conditions on the event, like the other filters.",
    },
  },
};

const hints = {
  ACCESS_DENIED: "list_websites lists the websites that this key reaches.",
  QUERY_ERROR: "Choose fewer days or add filters.",
};

export const funnel: Tool = {
  name: "funnel",
  title: "Analyze a funnel",
  description:
    "Counts how many visitors take two to ten steps one after the other, and where they leave. A step is a page ({page: '/pricing'}) or a custom event ({event: 'signup'}). Filters select visits, whose events are all looked at.",
  input: {
    type: "object",
    properties: {
      websiteId,
      steps: { type: "array", description: "The steps in order.", items: action },
      window: {
        type: "string",
        description: "How long a visitor may take, an ISO 8601 duration. The default value is P7D.",
      },
      splitBy: { type: "string", description: "A field to split by, such as country or utm_campaign." },
      ...dateRange,
      filters,
    },
    required: ["websiteId", "steps"],
  },
  output: { answerOf: "analyzeFunnel" },
  howToGetMore: "Leave out splitBy, or filter for the values that matter.",
  hints,
  run: ({ websiteId: website_id, timezone, ...rest }, call) =>
    call("FunnelService.AnalyzeFunnel", { website_id, timezone, funnel: rest }),
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
      splitBy: {
        type: "string",
        description: "A field to split by, such as utm_campaign, referrer_group, entry_page or country.",
      },
      splitLimit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        description: "Values at most. The default value is 10.",
      },
      attribution: { type: "string", enum: ["visit", "last_non_direct"] },
      granularity: {
        type: "string",
        enum: ["hourly", "daily", "weekly", "monthly"],
        description: "Also by hour, day, week or month.",
      },
      compare: { type: "string", enum: [...comparedPeriods], description: "Also for another period." },
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
  output: { answerOf: "analyzeGoals" },
  howToGetMore: "Leave out granularity, or choose a smaller splitLimit.",
  hints,
  run: ({ websiteId: website_id, timezone, ...rest }, call) =>
    call("FunnelService.AnalyzeGoals", { website_id, timezone, query: rest }),
};
