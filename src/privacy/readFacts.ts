import type { DayReader } from "../query/daily/daysWithRows.ts";
import { retentionOf } from "../retention/periods.ts";
import type { StoredWebsite } from "../websites/website.ts";
import { countContents, countObjections } from "./countContents.ts";
import { countGroups, countIds, countSpread } from "./countIds.ts";
import { countRows, type ReadWebsite } from "./countRows.ts";
import { countShownGroups } from "./countShownGroups.ts";
import type { PrivacyFacts } from "./facts.ts";
import { readDestinations } from "./readDestinations.ts";
import type { ReportCall } from "./reportCall.ts";

/** Reads the settings of a website and counts its rows. What cannot be read is undefined: the report is then of the rest. */
export async function readFacts(website: StoredWebsite, call: ReportCall): Promise<PrivacyFacts> {
  const { app, caller, signal } = call;
  const nowMs = Date.now();
  const questdb = app.questdb.of(website.id);
  const options = { owner: website.id, signal };
  const readWebsite: ReadWebsite = (sql, values = [], range) =>
    questdb.read(sql, [website.id, ...values], range === undefined ? options : { ...options, range });
  const known = async <T>(what: string, reading: Promise<T>): Promise<T | undefined> =>
    await reading.catch((error: unknown) => {
      app.log.warn({ err: error, what }, "a figure of a privacy report could not be read");
      return undefined;
    });
  const [tables, ids, spread, groups, contents, objections, oldSalts, links, destinations] = await Promise.all([
    countRows(readWebsite),
    known("ids", countIds(readWebsite)),
    known("spread", readSpread()),
    known("groups", readGroups()),
    known("contents", countContents(readWebsite)),
    known("objections", countObjections(readWebsite)),
    known(
      "salts",
      countPostgres("SELECT count(*)::float8 AS n FROM daily_salts WHERE day < $1", [
        new Date(nowMs).toISOString().slice(0, 10),
      ]),
    ),
    known(
      "links",
      countPostgres("SELECT count(*)::float8 AS n FROM links WHERE target_website_id = $1 AND deleted_at IS NULL", [
        website.id,
      ]),
    ),
    known("destinations", readDestinations(website.organizationId, website.id, call)),
  ]);
  return {
    nowMs,
    settings: {
      retention: retentionOf(website, app.config.retention),
      publicAccess: website.publicAccess,
      queryParameters: website.paths.queryParameters,
      honorsDoNotTrack: app.config.ingest.honorDoNotTrack,
      privacy: website.privacy,
      hasProxies: app.config.ingest.trustedProxies.rules.length > 0,
    },
    tables,
    ids,
    spread,
    groups,
    contents,
    objections,
    oldSalts,
    links,
    destinations,
  };

  async function readGroups() {
    const { audienceOnly, smallestGroup } = website.privacy;
    if (!audienceOnly) return await countGroups(readWebsite, nowMs);
    const reader: DayReader = { read: (sql, values) => questdb.read(sql, values, options) };
    return await countShownGroups(reader, website.id, smallestGroup, nowMs, app);
  }

  /** Among the websites that the caller may read: the count would tell others whether an id is known there. */
  async function readSpread() {
    const mayRead = caller?.websiteIds;
    const { rows } = await app.postgres.query<{ id: string }>(
      "SELECT id FROM websites WHERE organization_id = $1 AND id != $2 AND deleted_at IS NULL",
      [website.organizationId, website.id],
    );
    const others = rows.map(({ id }) => id).filter((id) => mayRead === undefined || mayRead.includes(id));
    return await countSpread(readWebsite, others, others.length === rows.length);
  }

  async function countPostgres(sql: string, values: readonly string[]): Promise<number> {
    const { rows } = await app.postgres.query<{ n: number }>(sql, [...values]);
    return rows[0]?.n ?? 0;
  }
}
