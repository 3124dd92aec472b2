import { DateTime } from "luxon";
import { expect, vi } from "vitest";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { keyOf } from "../../../src/store/write/eventKeys.ts";
import { countsOf, receiptOf, startErasure } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type DataRow, type DataTable, dataRange, dataSet, dataTables } from "../../kit/oracle/dataSet.ts";
import { insertData } from "../../kit/oracle/insertData.ts";
import type { UnknownTimes } from "../../kit/oracle/oracleComparison.ts";
import { oracleDays, type TimeRange } from "../../kit/oracle/oracleRanges.ts";
import { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { readStoredRows } from "../../kit/oracle/storedData.ts";
import { pick, samplePaths } from "../../kit/random/randomEvents.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { markTouched } from "../../kit/stores/markTouched.ts";
import { countRows } from "../../kit/stores/sampleRows.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const allRows = ["events", "sessions", "performance", "errors", "aggregated"];

/** Types of data that a deletion names, with the tables whose rows go. */
const erasable: readonly (readonly [readonly string[], readonly DataTable[]])[] = [
  [allRows, dataTables],
  [["events"], ["events", "outgoing_links"]],
  [["outgoing_links"], ["outgoing_links"]],
];

/** What is being erased, its end, and how the oracle then forgets the same rows. */
export type RunningErasure = {
  readonly range: TimeRange;
  readonly ended: Promise<unknown>;
  readonly forget: () => Promise<void>;
};

/**
 * A website whose rows change, by late events and erasures through the API, and the same rows for the oracle, which forgets what is erased by
 * itself. Of late events the oracle has what ingestion stored.
 */
export class ChangingWebsite {
  readonly website: TestWebsite;
  readonly #zone: string;
  readonly #questdb: QuestdbReader;
  readonly #rows: Record<DataTable, readonly DataRow[]>;
  readonly #firstMs: number;
  #erased: UnknownTimes = [];
  #late = 0;
  #tables: OracleTables;

  private constructor(website: TestWebsite, zone: string, questdb: QuestdbReader, rows: Rows, tables: OracleTables) {
    this.website = website;
    this.#zone = zone;
    this.#questdb = questdb;
    this.#rows = rows;
    this.#tables = tables;
    const firstHourMs = Math.floor(Math.min(...rows.events.map(timeOf)) / hourMs) * hourMs;
    this.#firstMs = DateTime.fromMillis(firstHourMs, { zone }).startOf("day").toMillis();
  }

  /** Stores forty days of events that no stored session has yet. */
  static async store(questdb: QuestdbReader, seed: number, zone: string): Promise<ChangingWebsite> {
    const website = await createWebsite({ timezone: zone });
    const { websiteId } = website;
    const periods = ["raw_events_days", "aggregated_days", "performance_days", "custom_events_days"];
    await inDatabase((database) =>
      database.query(`UPDATE websites SET ${periods.map((name) => `${name} = 3650`).join(", ")} WHERE id = $1`, [
        websiteId,
      ]),
    );
    const rows = withKeys(dataSet(seed), websiteId);
    await markTouched(websiteId, rows.events.map(timeOf));
    for (const table of dataTables) {
      await insertData(questdb, table, rows[table], websiteId);
      const areStored = async () => expect(await countRows(questdb, table, websiteId)).toBe(rows[table].length);
      await vi.waitFor(areStored, { timeout: 100_000 });
    }
    return new ChangingWebsite(website, zone, questdb, rows, await OracleTables.open(rows));
  }

  get tables(): OracleTables {
    return this.#tables;
  }

  /** Days before the first event, and ranges of which all events were erased. */
  get unknown(): UnknownTimes {
    return [{ startMs: 0, endMs: this.#firstMs, reason: "not_started" }, ...this.#erased];
  }

  /** Sends events of visits that began long ago; resolves when they can be read. */
  async sendLate(count: number, random: () => number): Promise<void> {
    const taken = new Set(dataTables.flatMap((table) => this.#rows[table].map(timeOf)));
    const near = this.#rows.events.filter((row) => row["session_id"] && row["anonymous_id"]);
    const sent = Array.from({ length: count }, () => {
      this.#late += 1;
      return lateItem(`late-${this.#late}`, pick(random, near), taken, random);
    });
    const { body } = await send("POST", `/batch?website_id=${this.website.websiteId}`, {
      body: sent.map(({ item }) => item),
    });
    expect(body).toMatchObject({ results: sent.map(() => ({ status: "success" })) });
    const ids = sent.map(({ eventId }) => `'${eventId}'`).join(", ");
    const stored = (table: DataTable) =>
      readStoredRows(this.#questdb, table, this.website.websiteId, `event_id IN (${ids})`);
    const [events, links] = await vi.waitFor(
      async () => {
        const found = await Promise.all([stored("events"), stored("outgoing_links")]);
        expect(found.flat().map(({ ts }) => ts)).toHaveLength(sent.length);
        return found;
      },
      { timeout: 100_000, interval: 50 },
    );
    expect([...events, ...links].map(timeOf).sort()).toEqual(sent.map(({ timestamp }) => timestamp).sort());
    await this.#replace({
      events: [...this.#rows.events, ...events],
      outgoing_links: [...this.#rows.outgoing_links, ...links],
    });
  }

  /** Starts to erase some days, or one visitor in many. */
  async startErasure(random: () => number): Promise<RunningErasure> {
    const first = Math.floor(random() * (dataRange.days - 2));
    const ofVisitor = random() < 0.4;
    const days = 1 + Math.floor(random() * (ofVisitor ? 12 : 3));
    const [start, end] = [dayText(first), dayText(Math.min(first + days, dataRange.days) - 1)];
    const [dataTypes, tables] = pick(random, erasable);
    const range = await oracleDays(start, end, this.#zone, this.#tables);
    const isInRange = (row: DataRow) => timeOf(row) >= range.startMs && timeOf(row) < range.endMs;
    const ofVisitors = this.#rows.events.filter((row) => isInRange(row) && row["anonymous_id"]);
    // After many erasures there are days without visitors, which are erased as days.
    const isOfVisitor = ofVisitor && ofVisitors.length > 0;
    const id = isOfVisitor ? String(pick(random, ofVisitors)["anonymous_id"]) : undefined;
    const visitorKey = id === undefined ? undefined : keyOf(this.website.websiteId, id);
    const goes = (row: DataRow) => isInRange(row) && (id === undefined || row["visitor_key"] === visitorKey);
    const request = { start_date: start, end_date: end, data_types: dataTypes };
    const { deletion_id } = await startErasure(
      this.website,
      id === undefined ? request : { ...request, anonymous_id: id },
    );
    const ended = receiptOf(this.website, deletion_id);
    const forget = async () => {
      const counts = countsOf(await ended);
      for (const table of tables)
        expect(counts[table], `rows of ${table}`).toEqual([this.#rows[table].filter(goes).length, 0]);
      await this.#replace(
        Object.fromEntries(tables.map((table) => [table, this.#rows[table].filter((row) => !goes(row))])),
      );
      if (id === undefined) this.#erased = [...this.#erased, { ...range, reason: "erased", tables }];
    };
    return { range, ended, forget };
  }

  async #replace(rows: Partial<Rows>): Promise<void> {
    Object.assign(this.#rows, rows);
    const before = this.#tables;
    this.#tables = await OracleTables.open(this.#rows);
    before.close();
  }

  close(): void {
    this.#tables.close();
  }
}

type Rows = Record<DataTable, readonly DataRow[]>;

function timeOf({ ts }: DataRow): number {
  return Number(ts);
}

/** With the keys that ingestion gives these ids, so that late events belong to their visits and an erasure finds its visitor. */
function withKeys(rows: Readonly<Rows>, websiteId: string): Rows {
  const keyed = (row: DataRow): DataRow => {
    const { visitor_key: visitor = null, session_key: session = null } = row;
    return {
      ...row,
      visitor_key: visitor === null ? null : keyOf(websiteId, `v${visitor}`),
      session_key: session === null ? null : keyOf(websiteId, `s${session}`),
    };
  };
  return {
    events: rows.events.map(keyed),
    outgoing_links: rows.outgoing_links.map(keyed),
    performance_metrics: rows.performance_metrics.map(keyed),
    script_errors: rows.script_errors.map(keyed),
  };
}

/** An event or link of the visit of `near`, or just before or after it, or of a visitor that was not seen before. */
function lateItem(eventId: string, near: DataRow, taken: Set<number>, random: () => number) {
  const minutes = pick(random, [-40, -29, -5, 1, 5, 29, 31, 200]);
  let timestamp = timeOf(near) + minutes * 60_000 + Math.floor(random() * 60_000);
  while (taken.has(timestamp)) timestamp += 1;
  taken.add(timestamp);
  const isKnown = random() < 0.8;
  const ids = isKnown
    ? { anonymousId: String(near["anonymous_id"]), sessionId: String(near["session_id"]) }
    : { anonymousId: `new ${eventId}`, sessionId: `new ${eventId}` };
  const known = { eventId, timestamp, ...ids, path: pick(random, samplePaths) };
  const kind = random();
  if (kind < 0.15) {
    const href = pick(random, ["https://out.example/a", "https://out.example/c"]);
    return { ...known, item: { type: "outgoing_link", payload: { ...known, href, text: "Docs" } } };
  }
  const name = kind < 0.6 ? "page_view" : kind < 0.75 ? "page_exit" : pick(random, ["buy", "sign_up"]);
  const more = {
    page_view: {
      title: "Home",
      referrer: pick(random, ["", "https://g.example/a", "https://www.google.com/"]),
      utm_source: pick(random, [undefined, "news"]),
      utm_campaign: pick(random, [undefined, "spring", "late"]),
    },
    page_exit: { time_on_page: pick(random, [1, 900, 3_600]) },
  }[name] ?? { properties: pick(random, [undefined, { plan: "pro", price: 20 }, { plan: "late", price: 7.5 }]) };
  return { ...known, item: { ...known, name, ...more } };
}

/** Days from the first of the data on. */
function dayText(day: number): string {
  return new Date(dataRange.fromMs + day * dayMs).toISOString().slice(0, 10);
}
