/** `npm run recover [-- --email owner@example.com] [--remove-second-factor]`: runs src/recover.ts. */
import { runOnPostgres } from "./onPostgres.ts";

await runOnPostgres("recover");
