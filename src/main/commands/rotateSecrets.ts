/**
 * `node src/main/commands/rotateSecrets.ts`: encrypts the secrets in PostgreSQL again, with the current key. Only PostgreSQL has
 * to run, and everything else may; `npm run rotate-secrets` starts it if it does not run.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { ConfigError, readConfig } from "../../config.ts";
import { reportFailure } from "../../errors/startFailure.ts";
import { Keyring } from "../../secrets/keyring.ts";
import { rotateStoredSecrets } from "../storedSecrets.ts";

try {
  readArguments();
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

function readArguments(): void {
  try {
    parseArgs({ options: {} });
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new ConfigError(`${reason}\nUsage: npm run rotate-secrets`);
  }
}
