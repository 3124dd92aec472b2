import { dropPassword } from "../../access/credentialsFile.ts";
import type { AccountCall } from "../accountCall.ts";

/** Notes that a person has chosen the password, so that credentials.json no longer names the one that the service made. */
export async function ownPasswordSet(userId: string, { app }: AccountCall): Promise<void> {
  const { rows } = await app.postgres.query<{ email: string }>(
    "UPDATE users SET has_generated_password = false WHERE id = $1 AND has_generated_password RETURNING email",
    [userId],
  );
  const [changed] = rows;
  if (changed === undefined) return;
  // The new password is valid all the same.
  await dropPassword(app.config, changed.email).catch((error: unknown) =>
    app.log.warn({ err: error }, "the former password could not be removed from credentials.json"),
  );
}
