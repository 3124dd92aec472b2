import { oldestKeptMs, type Period, periods } from "../../retention/periods.ts";
import { dayMs } from "../../time/utcDay.ts";
import { emailColumns, type PrivacyFacts, type TableFacts } from "../facts.ts";
import { broken, fulfilled, noRows, notCounted, type Point, unknown, type Verdict } from "./point.ts";

/** 25 months: CNIL, guidelines on trackers. */
const maxDataDays = 760;

/** Points about what is stored, and for how long. */
export const dataPoints: readonly Point[] = [
  { id: "data_age", authorities: ["cnil"], settings: periodsOf, counts: rowsOf, judge: judgeAge },
  { id: "retention", authorities: ["cnil", "ico", "dsk"], settings: periodsOf, counts: rowsOf, judge: judgeRetention },
  {
    id: "addresses",
    authorities: ["cnil", "dsk"],
    settings: ({ settings }) => ({ TRUSTED_PROXIES: settings.hasProxies ? "set" : "not set" }),
    judge: ({ settings }) =>
      settings.hasProxies ? unknown((texts) => texts.proxies) : fulfilled((texts) => texts.noAddresses),
  },
  {
    id: "daily_salt",
    authorities: ["cnil", "dsk"],
    counts: ({ oldSalts }) => [{ name: "old_salts", value: oldSalts }],
    judge: ({ oldSalts }) => {
      if (oldSalts === undefined) return notCounted;
      if (oldSalts === 0) return fulfilled((texts) => texts.saltsGone);
      return broken([], (texts, { number }) => texts.saltsLeft(number(oldSalts)));
    },
  },
  {
    id: "location",
    authorities: ["cnil"],
    settings: ({ settings }) => ({ "privacy.place": settings.privacy.place }),
    counts: ({ contents }) => [
      { name: "events", value: contents?.rows },
      { name: "events_with_country", value: contents?.withCountry },
      { name: "events_with_region", value: contents?.withRegion },
      { name: "events_with_city", value: contents?.withCity },
    ],
    judge: ({ contents }) => {
      if (contents === undefined) return notCounted;
      if (contents.rows === 0) return noRows;
      return fulfilled((texts, { number }) => texts.cities(number(contents.withCity)));
    },
  },
  {
    id: "direct_identifiers",
    authorities: ["cnil", "ico"],
    settings: ({ settings }) => ({ "paths.queryParameters": settings.queryParameters.join(", ") }),
    counts: ({ contents }) =>
      emailColumns.map((column) => ({ name: `emails_in_${column}`, value: contents?.withEmail[column] })),
    judge: judgeNames,
  },
];

function periodsOf({ settings }: PrivacyFacts): Record<string, string> {
  return Object.fromEntries(periods.map((period) => [nameOf(period), String(settings.retention[period])]));
}

function nameOf(period: Period): string {
  return `retention.${period}`;
}

function rowsOf({ tables }: PrivacyFacts) {
  return tables.map(({ kind, rows, oldestMs }) => ({ name: `rows.${kind}`, value: rows, oldestMs }));
}

function judgeAge({ nowMs, settings, tables }: PrivacyFacts): Verdict {
  const long = periods.filter((period) => settings.retention[period] > maxDataDays);
  const days = Math.max(...periods.map((period) => settings.retention[period]));
  if (long.length > 0)
    return broken(long.map(nameOf), (texts, show) => texts.ageLong(show.days(days), show.number(maxDataDays)));
  const old = tables.find((table) => isBefore(table, nowMs - (maxDataDays + 1) * dayMs));
  if (old !== undefined) return oldRows(old, (texts, kind, day) => texts.ageRows(kind, day));
  if (tables.some(({ rows }) => rows === undefined)) return notCounted;
  return fulfilled((texts, show) => texts.ageKept(show.days(days)));
}

/** Rows that expired since the daily run at midnight are erased by the next one. */
function judgeRetention({ nowMs, settings, tables }: PrivacyFacts): Verdict {
  const late = tables.find((table) => isBefore(table, oldestKeptMs(nowMs, settings.retention[table.period]) - dayMs));
  if (late !== undefined) return oldRows(late, (texts, kind, day) => texts.retentionLate(kind, day));
  if (tables.some(({ rows }) => rows === undefined)) return notCounted;
  return fulfilled((texts) => texts.retentionKept);
}

function isBefore({ oldestMs }: TableFacts, timeMs: number): boolean {
  return oldestMs !== undefined && oldestMs < timeMs;
}

type Finding = Verdict["finding"];

function oldRows(
  { kind, period, oldestMs = 0 }: TableFacts,
  sentence: (texts: Parameters<Finding>[0], kind: string, day: string) => string,
): Verdict {
  return broken([nameOf(period)], (texts, { day }) => sentence(texts, kind, day(oldestMs)));
}

function judgeNames({ contents, settings: { queryParameters } }: PrivacyFacts): Verdict {
  if (contents === undefined) return notCounted;
  const columns = emailColumns.filter((column) => contents.withEmail[column] > 0);
  if (columns.length > 0) {
    const values = columns.reduce((sum, column) => sum + contents.withEmail[column], 0);
    return broken(columns, (texts, { number, list }) => texts.names(number(values), list(columns)));
  }
  if (queryParameters.length > 0) return unknown((texts, { list }) => texts.parameters(list(queryParameters)));
  if (contents.rows === 0) return noRows;
  return fulfilled((texts) => texts.noNames);
}
