import type { Period, RetentionDays } from "../retention/periods.ts";
import type { PrivacyRules } from "../visitors/privacyRules.ts";

/** What the settings and rows of a website say about its visitors' privacy. Undefined is what could not be read. */
export type PrivacyFacts = {
  /** When it was read, Unix ms. */
  readonly nowMs: number;
  readonly settings: PrivacySettings;
  readonly tables: readonly TableFacts[];
  readonly ids: IdFacts | undefined;
  readonly spread: SpreadFacts | undefined;
  /**
   * The fewest visitors of one value, by field, of the last `groupDays` days; where only an audience is measured, of one that is shown of a
   * day. Missing are fields without values.
   */
  readonly groups: readonly GroupFacts[] | undefined;
  readonly contents: ContentFacts | undefined;
  /** Events that were left out because their senders object. */
  readonly objections: number | undefined;
  /** Salts of earlier days that still exist. */
  readonly oldSalts: number | undefined;
  /** Short links that lead to the website. */
  readonly links: number | undefined;
  readonly destinations: readonly Destination[] | undefined;
};

/** Page views of so many days are looked through for small groups. */
export const groupDays = 30;

export type PrivacySettings = {
  readonly retention: RetentionDays;
  readonly publicAccess: boolean;
  readonly queryParameters: readonly string[];
  readonly honorsDoNotTrack: boolean;
  readonly hasProxies: boolean;
  readonly privacy: PrivacyRules;
};

/** Rows of a kind of data, and the time of the oldest, Unix ms. */
export type TableFacts = {
  readonly kind: string;
  readonly table: string;
  readonly period: Period;
  readonly rows: number | undefined;
  readonly oldestMs: number | undefined;
};

export type IdFacts = {
  /** Different ids of visitors. */
  readonly ids: number;
  /** Those of them that pages or programs sent; the others are made by the service. */
  readonly sent: number;
  /** From the first to the last row of the id that was seen for the longest time, ms. */
  readonly longestMs: number;
};

export type SpreadFacts = {
  /** Ids that other websites of the organization have as well. */
  readonly shared: number;
  /** The most websites that have the same id. */
  readonly mostWebsites: number;
  /** Whether the caller may read all websites of the organization. */
  readonly isWhole: boolean;
};

export type GroupFacts = { readonly field: string; readonly visitors: number };

/** Rows of the table events. */
export type ContentFacts = {
  readonly rows: number;
  readonly withCountry: number;
  readonly withRegion: number;
  readonly withCity: number;
  /** Page views that can be joined with clicks on short links. */
  readonly withClick: number;
  /** Rows with what looks like an e-mail address, by column. */
  readonly withEmail: Readonly<Record<EmailColumn, number>>;
};

/** The columns that pages and programs fill as they like. */
export const emailColumns = ["anonymous_id", "path", "title", "properties"] as const;

export type EmailColumn = (typeof emailColumns)[number];

/** A part of an address such as `n@example.org`, also percent-encoded. */
export const emailPattern = "[A-Za-z0-9](@|%40)[A-Za-z0-9-]+[.][A-Za-z][A-Za-z]";

/** Where data of the website goes: a host, or null for this installation itself. */
export type Destination = {
  readonly kind: "webhook" | "slack" | "email" | "exports" | "backups";
  readonly host: string | null;
};
