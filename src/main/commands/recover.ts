/**
 * `node src/main/commands/recover.ts [--email owner@example.com] [--remove-second-factor]`: gives an owner a new password and the
 * organization a new key, and writes both to credentials.json. Only PostgreSQL has to run; `npm run recover` starts it if it does
 * not run.
 */
import pg from "pg";
import { credentialsPath } from "../../access/credentialsFile.ts";
import { listOwners, type Owner, recoverAccess } from "../../accounts/recovery/recoverAccess.ts";
import { ConfigError, readConfig } from "../../config.ts";
import { explainFileError, reportFailure } from "../../errors/startFailure.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { refuseUnknownMigrations } from "../../store/postgres/postgres.ts";
import { prepareDataDir } from "../../store/write/dataDir.ts";
import { readOptions } from "../readOptions.ts";

const usage = "Usage: npm run recover [-- --email owner@example.com] [--remove-second-factor]";

try {
  const { email, "remove-second-factor": removeSecondFactor } = readOptions(
    { email: { type: "string" }, "remove-second-factor": { type: "boolean", default: false } },
    usage,
  );
  const config = readConfig();
  prepareDataDir(config.stack.dataDir);
  const pool = new pg.Pool({ connectionString: config.postgres.url, max: 1 });
  try {
    const recovering = inTransaction(pool, async (client) => {
      await refuseUnknownMigrations(client);
      const chosen = chooseOwner(await listOwners(client), email);
      await recoverAccess(client, config, chosen, removeSecondFactor);
      return chosen;
    });
    const owner = await recovering.catch((error: unknown) => {
      throw explainFileError(error, config.stack.dataDir);
    });
    console.log(
      `${owner.email}, owner of "${owner.organization}", has a new password; the organization has a new key.`,
    );
    console.log(
      `Both are in ${credentialsPath(config)}. Sessions of ${owner.email} have ended; other keys still work.`,
    );
  } finally {
    await pool.end();
  }
} catch (error) {
  reportFailure(
    error,
    (code) =>
      `PostgreSQL could not be used${code}. Start the product once with npm start, check DATABASE_URL, then try again.`,
  );
}

/** The owner with this e-mail address; without an address the only owner. */
function chooseOwner(owners: readonly Owner[], email: string | undefined): Owner {
  const named = owners.filter((owner) => email === undefined || owner.email.toLowerCase() === email.toLowerCase());
  const [first] = named;
  if (first !== undefined && (email !== undefined || owners.length === 1)) return first;
  if (owners.length === 0) throw new ConfigError("There are no accounts yet. npm start makes the first ones.");
  const lines = owners.slice(0, 20).map((owner) => `  ${owner.email} (${owner.organization})`);
  const list = [...lines, ...(owners.length > 20 ? [`  and ${owners.length - 20} more`] : [])].join("\n");
  const problem =
    email === undefined ? "There are several owners; name one" : `No owner has the address ${email}; name one`;
  throw new ConfigError(`${problem}: npm run recover -- --email <address>\n${list}`);
}
