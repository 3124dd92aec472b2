import { describe, expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import type { QueryType } from "../../../src/query/catalogue/queryType.ts";

/** Categories of which nothing is public: people, what they did, links, errors and language models. */
const privateCategories = ["custom-events", "errors", "goals", "links", "llm-analytics", "profiles"];

/** The public types of categories that also have types about single people or about how a service is checked. */
const publicOfMixed: Readonly<Record<string, readonly string[]>> = {
  realtime: [
    "realtime_cities",
    "realtime_countries",
    "realtime_pages",
    "realtime_recent_countries",
    "realtime_recent_devices",
    "realtime_recent_pages",
    "realtime_recent_referrers",
    "realtime_recent_stats",
    "realtime_referrers",
    "realtime_velocity",
  ],
  sessions: [
    "session_duration_distribution",
    "session_flow",
    "session_metrics",
    "sessions_by_browser",
    "sessions_by_country",
    "sessions_by_device",
    "sessions_time_series",
  ],
  uptime: ["uptime_overview", "uptime_time_series"],
};

/** Fields of rows that are one person's, one event's or one call's. */
const ofOne =
  /^(?:.*_id|timestamp|time|first_.*|last_.*|properties|property_.*|event_name|message|stack|user_agent|url)$/;

const publicTypes = [...catalogue.values()].filter(({ isPublic }) => isPublic);

describe("2 anyone may query on a public website", () => {
  test("no type of a private category", () => {
    expect(namesOf(publicTypes.filter(({ category }) => privateCategories.includes(category)))).toEqual([]);
  });

  test.each(Object.entries(publicOfMixed))("of %s only what is known to be about all", (category, names) => {
    expect(namesOf(publicTypes.filter((type) => type.category === category))).toEqual(names);
  });

  test("no type whose rows are about one person, event or call", () => {
    expect(namesOf(publicTypes.filter(({ fields }) => fields.some(({ name }) => ofOne.test(name))))).toEqual([]);
  });
});

function namesOf(types: readonly QueryType[]): readonly string[] {
  return types.map(({ name }) => name).sort();
}
