/** What is stored of a website's visitors with new events, as JSON in PostgreSQL. */
export type PrivacyRules = {
  /** The finest place. */
  readonly place: "city" | "region" | "country";
  /** How long an id stays the same: as long as its sender keeps it, or until the UTC day ends. */
  readonly ids: "sent" | "day";
};
