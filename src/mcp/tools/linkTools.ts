import { type Tool, websiteId } from "./tool.ts";

export const listLinks: Tool = {
  name: "list_links",
  title: "List short links",
  description:
    "Lists the short links of a website, or of the whole organization, with their targets and clicks. The newest come first.",
  input: {
    type: "object",
    properties: {
      websiteId: { ...websiteId, description: "Only those of this website, from list_websites." },
      search: { type: "string", description: "Only those whose slug, name or target holds this text." },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "Links at most. The default value is 20." },
      cursor: { type: "string", description: "The nextCursor of the page before." },
    },
  },
  output: { answerOf: "listLinks" },
  howToGetMore: "Ask for a smaller limit and then the next page by its cursor, or search.",
  hints: { NOT_FOUND: "list_websites lists the websites that this key reaches." },
  run: ({ limit = 20, ...rest }, call) => call("LinkService.ListLinks", { ...rest, limit }),
};

export const linkClicks: Tool = {
  name: "link_clicks",
  title: "Clicks on short links",
  description:
    "Counts clicks on short links, or visitors who clicked, or which percentage of them arrived: in all, or by country, device, browser, os, referrer or date.",
  input: {
    type: "object",
    properties: {
      id: { type: "string", description: "Id of a website or of the organization; or the id or slug of one link." },
      metric: {
        type: "string",
        enum: ["clicks", "uniqueVisitors", "conversionRate"],
        description: "The default value is clicks.",
      },
      dimension: { type: "string", enum: ["country", "device", "browser", "os", "referrer", "date"] },
      dateFrom: { type: "string", description: "First day, YYYY-MM-DD." },
      dateTo: { type: "string", description: "Last day, included, YYYY-MM-DD." },
      timezone: {
        type: "string",
        description: "IANA name of the time zone that days are of. The default value is UTC.",
      },
      limit: { type: "integer", minimum: 1, maximum: 1000, description: "Rows at most. The default value is 20." },
    },
    required: ["id", "dateFrom", "dateTo"],
  },
  output: { answerOf: "queryLinkAnalytics" },
  howToGetMore: "Ask for fewer days or a smaller limit.",
  hints: { ACCESS_DENIED: "list_links lists the links, list_websites the websites that this key reaches." },
  run: ({ id, metric = "clicks", limit = 20, ...rest }, call) =>
    call("LinkService.QueryLinkAnalytics", { ...rest, websiteId: id, metric, limit }),
};

export const createLink: Tool = {
  name: "create_link",
  title: "Create a short link",
  description: "Creates a short link to a target and answers its address.",
  input: {
    type: "object",
    properties: {
      targetUrl: { type: "string", description: "Where it leads, http:// or https://." },
      slug: { type: "string", description: "Last part of its address. Without it one is made." },
      websiteId,
      name: { type: "string", description: "Display name." },
      expiresAt: { type: "string", description: "When it stops to lead there, ISO 8601." },
    },
    required: ["targetUrl"],
  },
  output: { answerOf: "createLink" },
  scopeToChange: "write:links",
  howToGetMore: "Nothing is left out that matters.",
  hints: {
    CONFLICT: "Choose another slug, or leave it out.",
    NOT_FOUND: "list_websites lists the websites that this key reaches.",
  },
  run: (given, call) => call("LinkService.CreateLink", given),
};
