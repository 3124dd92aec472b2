import { reachedWebsites } from "./reachedWebsites.ts";
import { type CallRpc, type JsonObject, listOf, nonEmpty, type Tool } from "./tool.ts";

/** More rows are in no answer. */
const mostRows = 10_000;

/** The organization whose websites the key reaches; undefined if it reaches none. */
export async function organizationOf(call: CallRpc): Promise<unknown> {
  return (await reachedWebsites(call))[0]?.["organizationId"];
}

/** How all websites do, in one call. */
export const allWebsites: Tool = {
  name: "all_websites",
  title: "All websites now",
  description:
    "Answers how all websites do: for each the visitors now and today, beside how many are usual by this time of day (median of the same weekday of the last four weeks), and whether it is up; and their sums.",
  input: {
    type: "object",
    properties: { tag: { type: "string", description: "Only the websites with this tag." } },
  },
  output: {
    type: "object",
    properties: {
      websites: {
        type: "array",
        items: { type: "object" },
        description:
          "Most visitors first: {id, name, timezone, tags, now, visitorsToday, visitsToday, usualVisitors, uptime (worst state of its monitors, none without), incidents (open ones)}. Today is that of its time zone; null is unknown.",
      },
      total: {
        type: "object",
        description: "{websites, now, visitorsToday, visitsToday}. A visitor of two websites is two visitors.",
      },
      down: { type: "array", items: { type: "string" }, description: "Names of websites with an open incident." },
    },
    required: ["websites", "total", "down"],
  },
  howToGetMore: "Give a tag, or a larger maxCharacters.",
  run: async ({ tag }, call) => {
    const found = (await reachedWebsites(call)).filter((website) => tag === undefined || tagsOf(website).includes(tag));
    const [first] = found;
    if (first === undefined) return { websites: [], total: totalOf([]), down: [] };
    const answer = await call("QueryService.Query", {
      organization_id: first["organizationId"],
      query: { preset: "today", limit: mostRows, parameters: ["websites_today", "websites_now", "websites_uptime"] },
    });
    const [today = [], now, uptime] = listOf(answer["data"]).map(({ success, data }) =>
      success === true ? listOf(data) : undefined,
    );
    const byId = new Map(found.map((website) => [website["id"], website]));
    const ofNow = now && new Map(now.map((row) => [row["website_id"], row["active_users"]]));
    const ofUptime = new Map((uptime ?? []).map((row) => [row["website_id"], row]));
    const websites = today.flatMap((row) => {
      const website = byId.get(row["website_id"]);
      if (website === undefined) return [];
      const { state = null, incidents } = ofUptime.get(row["website_id"]) ?? {};
      return {
        id: website["id"],
        name: website["name"],
        timezone: website["timezone"],
        ...nonEmpty({ tags: tagsOf(website) }),
        // A website without visitors now has no row in websites_now.
        now: ofNow === undefined ? null : (ofNow.get(row["website_id"]) ?? 0),
        visitorsToday: row["visitors"],
        visitsToday: row["sessions"],
        usualVisitors: row["usual_visitors"],
        uptime: state,
        ...nonEmpty({ incidents: listOf(incidents) }),
      };
    });
    const down = websites.filter((website) => "incidents" in website).map(({ name }) => name);
    return { websites, total: totalOf(websites), down };
  },
};

function totalOf(websites: readonly JsonObject[]): JsonObject {
  const sum = (name: string) => websites.reduce((total, website) => total + Number(website[name] ?? 0), 0);
  return {
    websites: websites.length,
    ...Object.fromEntries(["now", "visitorsToday", "visitsToday"].map((name) => [name, sum(name)])),
  };
}

function tagsOf({ tags }: JsonObject): readonly unknown[] {
  const names = (tags as JsonObject | null | undefined)?.["names"];
  return Array.isArray(names) ? names : [];
}
