import { type CallRpc, type JsonObject, listOf, nonEmpty, objects, type Tool, text, texts } from "./tool.ts";

/** More rows are in no answer. */
const mostRows = 10_000;

/** The websites that the key reaches, without waiting for whether they have events. */
export async function reachedWebsites(call: CallRpc): Promise<readonly JsonObject[]> {
  return listOf((await call("WebsiteService.ListWebsites", { without_tracking_status: true }))["websites"]);
}

/** The organization whose websites the key reaches; undefined if it reaches none. */
export async function organizationOf(call: CallRpc): Promise<unknown> {
  return (await reachedWebsites(call))[0]?.["organizationId"];
}

/** How all websites do, in one call. */
export const allWebsites: Tool = {
  name: "all_websites",
  title: "All websites now",
  description:
    "Answers how all websites do: for each the visitors now and today, beside how many are usual by this time of day (median, lowest and highest of the same weekday of the last four weeks), and whether it is up; and their sums.",
  input: {
    type: "object",
    properties: { tag: text("Only the websites with this tag.") },
  },
  output: {
    type: "object",
    properties: {
      websites: objects(
        "Most visitors first: {id, name, timezone, tags, now, visitorsToday, visitsToday, usualVisitors, usualLowest, usualHighest (today is unusual outside of them), uptime (worst state of its monitors, none without), incidents (open ones: {id, monitorId, monitorName, startedAt})}. Today is that of its time zone; null is unknown, not 0.",
      ),
      total: {
        type: "object",
        description:
          "{websites, now, visitorsToday, visitsToday}: of the websites whose figure is known; null if of none. A visitor of two websites is two visitors.",
      },
      down: {
        type: ["array", "null"],
        items: { type: "string" },
        description: "Names of websites whose uptime is down; null if unknown.",
      },
      unknown: texts("What could not be answered, if anything; its figures are null. Ask again later."),
    },
    required: ["websites", "total", "down"],
  },
  howToGetMore: "Give a tag, or a larger maxCharacters.",
  run: async ({ tag }, call) => {
    const found = (await reachedWebsites(call)).filter((website) => tag === undefined || tagsOf(website).includes(tag));
    const [first] = found;
    if (first === undefined) return describeWebsites([], [[], [], []]);
    const answer = await call("QueryService.Query", {
      organization_id: first["organizationId"],
      query: { preset: "today", limit: mostRows, parameters: ["websites_today", "websites_now", "websites_uptime"] },
    });
    const answers = listOf(answer["data"]).map(({ success, data }) => (success === true ? listOf(data) : undefined));
    return describeWebsites(found, answers);
  },
};

type Rows = readonly JsonObject[];

/**
 * The answer about the websites, from the rows of websites_today, websites_now and websites_uptime. Rows that are not known (undefined) leave null in
 * every website, in sums, and in the list of those that are down.
 */
export function describeWebsites(websites: Rows, [today, now, uptime]: readonly (Rows | undefined)[]): JsonObject {
  const [ofToday, ofNow, ofUptime] = [today, now, uptime].map(
    (rows) => rows && new Map(rows.map((row) => [row["website_id"], row])),
  );
  const places = new Map([...(ofToday?.keys() ?? [])].map((id, place) => [id, place]));
  const placeOf = ({ id }: JsonObject): number => places.get(id) ?? places.size;
  const described = websites
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((website): JsonObject => {
      const { visitors = null, sessions = null, ...usual } = ofToday?.get(website["id"]) ?? {};
      const { state = null, incidents = null } = ofUptime?.get(website["id"]) ?? {};
      return {
        id: website["id"],
        name: website["name"],
        timezone: website["timezone"],
        ...nonEmpty({ tags: tagsOf(website) }),
        now: ofNow === undefined ? null : nowOf(ofNow.get(website["id"])),
        visitorsToday: visitors,
        visitsToday: sessions,
        usualVisitors: usual["usual_visitors"] ?? null,
        usualLowest: usual["usual_lowest"] ?? null,
        usualHighest: usual["usual_highest"] ?? null,
        uptime: state,
        ...(incidents === null ? { incidents } : nonEmpty({ incidents: listOf(incidents).map(shownIncident) })),
      };
    });
  const unknown = ["websites_today", "websites_now", "websites_uptime"].filter(
    (_, index) => [today, now, uptime][index] === undefined,
  );
  return {
    websites: described,
    total: totalOf(described),
    down:
      uptime === undefined ? null : described.filter(({ uptime: state }) => state === "down").map(({ name }) => name),
    ...nonEmpty({ unknown }),
  };
}

/** The members of an incident as the other tools name them. */
function shownIncident({ id, monitor_id, monitor_name, started_at }: JsonObject): JsonObject {
  return { id, monitorId: monitor_id, monitorName: monitor_name, startedAt: started_at };
}

/** A website without visitors now has no row in websites_now; one with too few to be shown has null. */
function nowOf(row: JsonObject | undefined): unknown {
  return row === undefined ? 0 : row["active_users"];
}

/** Sums of what is known; null where it is known of no website. */
function totalOf(websites: Rows): JsonObject {
  const sum = (name: string): number | null => {
    const known = websites.map((website) => website[name]).filter((value) => typeof value === "number");
    return known.length === 0 && websites.length > 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    websites: websites.length,
    ...Object.fromEntries(["now", "visitorsToday", "visitsToday"].map((name) => [name, sum(name)])),
  };
}

function tagsOf({ tags }: JsonObject): readonly unknown[] {
  const names = (tags as JsonObject | null | undefined)?.["names"];
  return Array.isArray(names) ? names : [];
}
