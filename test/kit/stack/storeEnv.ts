import { inject } from "vitest";
import type { Env } from "../../../src/config.ts";

/**
 * The settings of a further process on the stores of all tests, with `own` ones in their place. A QuestDB that `own` names is the only one
 * that the process has.
 */
export function storeEnv(own: Env = {}): Env {
  const { storeEnv: stores } = inject("lookout");
  const env = { ...stores, ...own };
  const namesQuestdb = own["QUESTDB_HTTP"] !== undefined || own["QUESTDB_PG"] !== undefined;
  if (stores["SHARDS"] === undefined || own["SHARDS"] !== undefined || !namesQuestdb) return env;
  return { ...env, SHARDS: `s1=${env["QUESTDB_HTTP"]}|${env["QUESTDB_PG"]}` };
}
