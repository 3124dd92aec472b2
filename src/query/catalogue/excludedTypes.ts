import { type Group, series, table } from "./define.ts";
import { grouped, measured, type QueryType, share } from "./queryType.ts";

// What attacks a website, and which bots read it, is its owner's business.
const excluded = { category: "traffic", isPublic: false, table: "excluded_traffic" } as const satisfies Group;

/** What was sent and is in no other figure. */
export const excludedTypes: readonly QueryType[] = [
  table(
    excluded,
    "excluded_traffic",
    "Left out",
    "Events that were sent and not stored, by reason, those of bots by kind, name and operator, and those that rules of the website exclude by kind; most events first.",
    ["reason", "kind", "name", "operator"],
    [
      grouped("reason", "Reason"),
      grouped("kind", "Kind of bot or rule", 1),
      grouped("name", "Bot", 2),
      grouped("operator", "Operator", 3),
      measured("excluded", "count"),
      share("excluded"),
    ],
  ),
  series(
    excluded,
    "excluded_traffic_by_day",
    "Left out over time",
    "Events that were sent and not stored, by day or hour. Those of AI systems are among those of bots.",
    [
      measured("excluded", "count"),
      measured("excluded_bots", "bots"),
      measured("excluded_ai", "ai_systems"),
      measured("excluded_spam", "referrer_spam"),
      measured("excluded_objections", "do_not_track"),
      measured("excluded_invalid", "invalid"),
      measured("excluded_rules", "blocked_by_rule"),
    ],
  ),
  {
    ...table(
      excluded,
      "ai_systems",
      "AI systems",
      "Events of AI crawlers, which read pages to train a model or to fill an index, and of AI agents, which read a page because a person asked; none of them is stored. Which pages they read is not kept.",
      ["name", "operator", "kind"],
      [
        grouped("name", "AI system"),
        grouped("operator", "Operator", 1),
        grouped("kind", "Kind", 2),
        measured("excluded", "count"),
        share("excluded"),
      ],
    ),
    only: "ai_system",
  },
];
