/** `npm run move -- --organization <name or id> --to <shard>`: runs src/main/commands/moveOrganization.ts. */
import { runOnPostgres } from "./onPostgres.ts";

await runOnPostgres("moveOrganization");
