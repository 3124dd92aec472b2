import { reachedWebsites } from "./allWebsites.ts";
import { type JsonObject, listOf, nonEmpty, objects, type Tool, text } from "./tool.ts";

/** The websites whose ids all other tools take. */
export const listWebsites: Tool = {
  name: "list_websites",
  title: "List websites",
  description:
    "Lists the websites that the API key reaches: ids, which other tools take, domains, time zones, and the goals that their owners have set.",
  input: {
    type: "object",
    properties: { search: text("Only those whose name, domain or id holds this text.") },
  },
  output: {
    type: "object",
    properties: {
      websites: objects("{id, name, domain, timezone, goals: [{event} or {page}, with value if it is worth money]}"),
      found: { type: "integer" },
    },
    required: ["websites", "found"],
  },
  howToGetMore: "Use search, or a larger maxCharacters.",
  run: async ({ search }, call) => {
    const wanted = String(search ?? "").toLowerCase();
    const found = (await reachedWebsites(call)).filter((website) =>
      ["name", "domain", "id"].some((name) => String(website[name]).toLowerCase().includes(wanted)),
    );
    return { websites: found.map(shortWebsite), found: found.length };
  },
};

function shortWebsite({ id, name, domain, timezone, goals }: JsonObject): JsonObject {
  const set = listOf((goals as JsonObject | undefined)?.["goals"]).map(goalOf);
  return { id, name, domain, timezone, ...nonEmpty({ goals: set }) };
}

/** A goal as the tools goals and funnel take it. */
function goalOf({ kind, value, revenue, property }: JsonObject): JsonObject {
  const { name, value: text } = (property ?? {}) as JsonObject;
  return {
    [kind === "page" ? "page" : "event"]: value,
    ...(name === undefined ? {} : { filters: [{ field: `properties.${String(name)}`, op: "eq", value: text }] }),
    ...(revenue === undefined || revenue === null ? {} : { value: revenue }),
  };
}
