import { largeQueries } from "./largeQueries.ts";

/** A message to /mcp. */
export type LargeMessage = { readonly about: string; readonly message: object };

const call = (name: string, given: object, about = name): LargeMessage => ({
  about,
  message: { method: "tools/call", params: { name, arguments: given } },
});

const queryOf = (about: string) =>
  Object.values(largeQueries)
    .flat()
    .find((query) => query.about === about)?.body;

/** The most expensive messages to /mcp about a website: the longest lists that a tool takes, over many rows. */
export function largeMessages(websiteId: string): readonly LargeMessage[] {
  const days = { dateFrom: "2026-01-01", dateTo: "2026-12-31" };
  const queries = Object.values(largeQueries).flat();
  const ofTypes = queries
    .filter(({ about }) => about.startsWith("types "))
    .map(({ about, body }) =>
      call("query", { ...body, parameters: undefined, ...typesOf(body), websiteId, limit: 1_000 }, about),
    );
  return [
    { about: "tools/list", message: { method: "tools/list" } },
    call("list_websites", {}),
    call("describe_query_types", {}, "all query types"),
    call("describe_query_types", { search: "visitors" }, "query types by words"),
    ...ofTypes,
    call(
      "query",
      { websiteId, types: ["pages"], preset: "last_90d", filters: filtersOf(queryOf("filters")) },
      "filters",
    ),
    call("funnel", { ...queryOf("ten steps"), splitLimit: undefined, websiteId }),
    call("uptime_status", { websiteId, days: 90 }),
    call("list_links", { websiteId, limit: 100 }),
    call("link_clicks", { id: websiteId, ...days, dimension: "referrer", limit: 1_000 }),
  ];
}

function typesOf(body: object): object {
  return "parameters" in body ? { types: body.parameters } : {};
}

function filtersOf(body: object | undefined): unknown {
  return body !== undefined && "filters" in body ? body.filters : [];
}
