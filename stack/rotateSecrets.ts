/** `npm run rotate-secrets`: runs src/rotateSecrets.ts. */
import { runOnPostgres } from "./onPostgres.ts";

await runOnPostgres("rotateSecrets");
