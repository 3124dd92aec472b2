import { randomBytes } from "node:crypto";
import type { Pool } from "pg";

/** The secret shared by all processes without AUTH_SECRET: created at the first use and stored in PostgreSQL. */
export async function readServiceSecret(postgres: Pick<Pool, "query">): Promise<string> {
  await postgres.query("INSERT INTO service_secrets (name, secret) VALUES ('accounts', $1) ON CONFLICT DO NOTHING", [
    randomBytes(32).toString("base64url"),
  ]);
  const { rows } = await postgres.query<{ secret: string }>(
    "SELECT secret FROM service_secrets WHERE name = 'accounts'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the secret of the service is missing");
  return row.secret;
}
