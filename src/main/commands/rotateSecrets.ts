/**
 * `node src/main/commands/rotateSecrets.ts`: encrypts the secrets in PostgreSQL again, with the current key. Only PostgreSQL has
 * to run, and everything else may; `npm run rotate-secrets` starts it if it does not run.
 */
import pg from "pg";
import { readConfig } from "../../config.ts";
import { reportFailure } from "../../errors/startFailure.ts";
import { Keyring } from "../../secrets/keyring.ts";
import { readOptions } from "../readOptions.ts";
import { rotateStoredSecrets } from "../storedSecrets.ts";

try {
  readOptions({}, "Usage: npm run rotate-secrets");
  const config = readConfig();
  const pool = new pg.Pool({ connectionString: config.postgres.url, max: 2 });
  try {
    const { secrets, opensWithFormerKey } = await rotateStoredSecrets(pool, config, new Keyring(config));
    console.log(`${secrets} secrets are encrypted with a new key.`);
    console.log(
      opensWithFormerKey
        ? "Former keys still open it. Next: restart every API and worker process with these settings, remove the former keys (AUTH_SECRET_OLD), and run this once more."
        : "No former key opens it.",
    );
  } finally {
    await pool.end();
  }
} catch (error) {
  reportFailure(
    error,
    (code) => `The rotation broke off${code}; everything can still be read. Check DATABASE_URL and run it again.`,
  );
}
