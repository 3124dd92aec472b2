import { audienceOnly } from "../../errors/errors.ts";
import type { PreviewRulesReply } from "../../gen/lookout/services.ts";
import type { PreviewRulesRequest } from "../../gen/lookout/v1/websites_pb.ts";
import type { RuleKind, StoredRules } from "../../ingest/rules/storedRules.ts";
import { oldestKeptMs, retentionOf } from "../../retention/periods.ts";
import { dayMs } from "../../time/utcDay.ts";
import { findLiveWebsite } from "../../websites/findWebsite.ts";
import { readRules } from "../../websites/readRules.ts";
import { readerOf } from "../answer/callReader.ts";
import type { QueryCall } from "../queryCall.ts";
import { Bindings } from "../sql/bindings.ts";
import { fieldFilterSql } from "../sql/filters.ts";
import { rowsOf } from "../sql/rowScope.ts";

const previewDays = 30;

/** How the values of each list are found again in stored events, or why they cannot be. */
const stored: { readonly [list in keyof StoredRules]-?: readonly [kind: RuleKind, found: Found] } = {
  networks: ["network", { unknown: "addresses of visitors are not stored" }],
  countries: ["country", { column: "country", isSymbol: true }],
  userAgents: ["user_agent", { unknown: "user agents are not stored, only the names of browsers and systems" }],
  hosts: ["host", { unknown: "host names of pages are not stored, only paths" }],
  onlyHosts: ["unlisted_host", { unknown: "host names of pages are not stored, only paths" }],
  paths: ["path", { column: "path" }],
  referrers: ["referrer", { column: "referrer_source" }],
};

type Found = { readonly unknown: string } | { readonly column: string; readonly isSymbol?: true };

/**
 * POST /websites/rules/preview: how many of the stored events of the last 30 days the rules would have excluded. What a rule compares and is not
 * stored is unknown.
 *
 * Rejects with VALIDATION_ERROR for rules that make no sense, with NOT_FOUND, with CONFLICT while the website measures its audience only,
 * and with QUERY_ERROR for a timeout.
 */
export async function previewRules({ id, rules }: PreviewRulesRequest, call: QueryCall): Promise<PreviewRulesReply> {
  if (rules === undefined) throw new Error("the contract lets no request without rules pass");
  const asked = readRules(rules);
  const website = await findLiveWebsite(call.app.postgres, id, call.caller);
  if (website.privacy.audienceOnly)
    throw audienceOnly("Rules have no preview, since it counts the events of whatever they select");
  const nowMs = Date.now();
  const { rawEventsDays } = retentionOf(website, call.app.config.retention);
  const range = { startMs: Math.max(nowMs - previewDays * dayMs, oldestKeptMs(nowMs, rawEventsDays)), endMs: nowMs };
  const bindings = new Bindings();
  const conditions = conditionsOf(asked, bindings);
  const known = conditions.flatMap(({ sql }) => (sql === undefined ? [] : [sql]));
  const counted = [...known, ...(known.length > 1 ? [known.join(" OR ")] : [])].map(
    (sql, index) => `, sum(CASE WHEN ${sql} THEN 1 ELSE 0 END) AS c${index}`,
  );
  const from = rowsOf("events", { websiteIds: [website.id], range }, bindings);
  const [row = {}] = await readerOf(call, [website.id])
    .over(range)
    .read(`SELECT count() AS events${counted.join("")} FROM ${from}`, bindings.values);
  // QuestDB answers the sum of no rows as null.
  const figure = (index: number) => Number(row[`c${index}`] ?? 0);
  return {
    from: new Date(range.startMs).toISOString(),
    until: new Date(range.endMs).toISOString(),
    events: Number(row["events"] ?? 0),
    ...(known.length === 0 ? {} : { excluded: figure(counted.length - 1) }),
    kinds: conditions.map(({ kind, sql, unknown }) =>
      sql === undefined ? { kind, unknown: unknown ?? "" } : { kind, excluded: figure(known.indexOf(sql)) },
    ),
  };
}

type Condition = { readonly kind: RuleKind; readonly sql?: string; readonly unknown?: string };

/** A condition on rows for each list of rules that has values. */
function conditionsOf(rules: StoredRules, bindings: Bindings): Condition[] {
  return (Object.keys(stored) as (keyof StoredRules)[]).flatMap((list): Condition[] => {
    const values = rules[list] ?? [];
    const [kind, found] = stored[list];
    if (values.length === 0) return [];
    return [{ kind, ...("unknown" in found ? found : { sql: anyOf(found, values, bindings) }) }];
  });
}

/** True for a row with one of the values: whole ones, those that begin as `/a*`, and those that end as `*.b.example`. */
function anyOf(
  { column, isSymbol }: Extract<Found, { column: string }>,
  values: readonly string[],
  bindings: Bindings,
) {
  const field = { column, whenEmpty: "", ...(isSymbol === undefined ? {} : { isSymbol }) };
  const whole = values.filter((value) => !value.startsWith("*") && !value.endsWith("*"));
  const beginnings = values.filter((value) => value.endsWith("*")).map((value) => value.slice(0, -1));
  const ends = values.filter((value) => value.startsWith("*")).map((value) => value.slice(1));
  const parts = [
    ["equals", whole],
    ["starts_with", beginnings],
    ["ends_with", ends],
  ] as const;
  return parts
    .filter(([, some]) => some.length > 0)
    .map(([comparison, some]) => fieldFilterSql({ comparison, negated: false, values: some }, field, bindings))
    .join(" OR ");
}
