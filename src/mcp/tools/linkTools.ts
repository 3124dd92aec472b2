import { rangeSchema, requiredRange } from "./answeredRange.ts";
import {
  dateRange,
  dateSynonyms,
  integer,
  type JsonObject,
  listOf,
  objects,
  pick,
  type Tool,
  text,
  websiteId,
} from "./tool.ts";

export const listLinks: Tool = {
  name: "list_links",
  title: "List short links",
  description:
    "Lists the short links of a website, or of the whole organization, newest first, with targets and all clicks ever. For clicks by link in a range ask query for link_top_links.",
  input: {
    type: "object",
    properties: {
      websiteId: { ...websiteId, description: "Only those of this website, from list_websites." },
      search: text("Only those whose slug, name or target holds this text."),
      limit: integer(1, 100, "Links at most. Default: 20."),
      cursor: text("The nextCursor of the page before."),
    },
  },
  output: {
    type: "object",
    properties: {
      links: objects(
        "{id, shortUrl, targetUrl, name, clicks (all time; null is unknown), websiteId, createdAt, expiresAt …}",
      ),
      nextCursor: { type: ["string", "null"], description: "Of the next page, if there is one." },
    },
    required: ["links"],
  },
  howToGetMore: "Ask for a smaller limit and then the next page by its cursor, or search.",
  hints: { NOT_FOUND: "list_websites lists the websites that this key reaches." },
  run: async ({ limit = 20, ...rest }, call) => {
    const { links, ...page } = await call("LinkService.ListLinks", { ...rest, limit });
    return { links: listOf(links).map(withoutEmpty), ...page };
  },
};

/** What is not set is left out: a link has many settings. */
function withoutEmpty({ organizationId: _, clicksKnown, clicks, ...link }: JsonObject): JsonObject {
  const isSet = (value: unknown): boolean =>
    value !== null &&
    value !== "" &&
    value !== false &&
    !(typeof value === "object" && Object.keys(value).length === 0);
  const set = Object.fromEntries(Object.entries(link).filter(([, value]) => isSet(value)));
  return { ...set, clicks: clicksKnown === false ? null : clicks };
}

export const linkClicks: Tool = {
  name: "link_clicks",
  title: "Clicks on short links",
  description:
    "Counts clicks on short links, or visitors who clicked, or which percentage of them arrived: in all, or by country, device, browser, os, referrer or date.",
  input: {
    type: "object",
    properties: {
      id: text("Id of a website or of the organization; or the id or slug of one link."),
      metric: {
        type: "string",
        enum: ["clicks", "uniqueVisitors", "conversionRate"],
        description: "Default: clicks. conversionRate is the percentage that arrived.",
      },
      dimension: { type: "string", enum: ["country", "device", "browser", "os", "referrer", "date"] },
      ...dateRange,
      limit: integer(1, 1000, "Rows at most. Default: 20."),
    },
    required: ["id"],
  },
  output: {
    type: "object",
    properties: {
      metric: { type: "string" },
      unit: { type: "string" },
      data: objects("Rows: the dimension's value and the metric."),
      total: { type: ["number", "null"], description: "The metric over all clicks of the range." },
      range: rangeSchema,
    },
    required: ["metric", "data", "total", "range"],
  },
  howToGetMore: "Ask for fewer days or a smaller limit.",
  synonyms: { ...dateSynonyms, websiteId: "id", linkId: "id", slug: "id" },
  fieldNames: { websiteId: "id", dateFrom: "startDate", dateTo: "endDate" },
  hints: { ACCESS_DENIED: "list_links lists the links, list_websites the websites that this key reaches." },
  run: async ({ id, metric = "clicks", limit = 20, ...rest }, call) => {
    const range = requiredRange(rest, "last_30d");
    const { data, total } = await call("LinkService.QueryLinkAnalytics", {
      ...pick(rest, "dimension", "timezone"),
      dateFrom: range.from,
      dateTo: range.until,
      websiteId: id,
      metric,
      limit,
    });
    return { metric, unit: metric === "conversionRate" ? "percent" : "count", data, total, range };
  },
};

export const createLink: Tool = {
  name: "create_link",
  title: "Create a short link",
  description: "Creates a short link to a target and answers its address.",
  input: {
    type: "object",
    properties: {
      targetUrl: text("Where it leads, http:// or https://."),
      slug: text("Last part of its address. Without it one is made."),
      websiteId,
      name: text("Display name."),
      expiresAt: { type: "string", format: "date", description: "When it stops to lead there, ISO 8601." },
    },
    required: ["targetUrl"],
  },
  output: {
    type: "object",
    properties: { id: { type: "string" }, slug: { type: "string" }, targetUrl: { type: "string" } },
    required: ["id", "slug", "targetUrl"],
  },
  scopeToChange: "write:links",
  howToGetMore: "Nothing is left out that matters.",
  hints: {
    CONFLICT: "Choose another slug, or leave it out.",
    NOT_FOUND: "list_websites lists the websites that this key reaches.",
  },
  run: async (given, call) => withoutEmpty(await call("LinkService.CreateLink", given)),
};
