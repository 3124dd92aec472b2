/** What is stored of a website's visitors with new events, and what queries answer of them, as JSON in PostgreSQL. */
export type PrivacyRules = {
  /** The finest place. */
  readonly place: "city" | "region" | "country";
  /** How long an id stays the same: as long as its sender keeps it, or until the UTC day ends. */
  readonly ids: "sent" | "day";
  /** Whether nothing but the audience is measured: no single visitors, filters and small groups. */
  readonly audienceOnly: boolean;
  /** The fewest visitors of a group that is shown where the audience alone is measured. */
  readonly smallestGroup: number;
};

/** Without a choice. Fewer than ten visitors are what authorities call a small group. */
export const defaultSmallestGroup = 10;
