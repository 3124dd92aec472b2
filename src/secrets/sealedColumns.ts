/**
 * Every column of PostgreSQL that holds secrets, by its table. A secret can only be stored in a column of this list, and
 * the first start of a version and the rotation encrypt all of them. An empty text is none.
 *
 * Second factors are not in the list: better-auth encrypts them (src/accounts/secondFactorKeys.ts).
 */
export const sealedColumns = [
  // The address with its query, the values of headers, and the body. Encrypted by src/uptime/manage/sealMonitors.ts.
  { place: "monitors.secrets", table: "monitors", key: "id", column: "secrets" },
  { place: "notification_channels.target", table: "notification_channels", key: "id", column: "target" },
  { place: "notification_channels.secret", table: "notification_channels", key: "id", column: "secret" },
  { place: "service_secrets.secret", table: "service_secrets", key: "name", column: "secret" },
  { place: "export_secrets.secret", table: "export_secrets", key: "id", column: "secret" },
  { place: "idempotency_keys.answer", table: "idempotency_keys", key: "id", column: "answer" },
] as const;

export type SealedColumn = (typeof sealedColumns)[number];

/** Table and column of a secret. */
export type SealedPlace = SealedColumn["place"];
