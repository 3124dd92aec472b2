/** `npm run recover [-- --email owner@example.com] [--remove-second-factor]`: runs src/main/commands/recover.ts. */
import { runOnPostgres } from "./onPostgres.ts";

await runOnPostgres("recover");
