/** `npm run rotate-secrets`: runs src/main/commands/rotateSecrets.ts. */
import { runOnPostgres } from "./onPostgres.ts";

await runOnPostgres("rotateSecrets");
