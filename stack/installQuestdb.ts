/** Installs QuestDB with its patch into CACHE_DIR, as npm start does; for the image of it (deploy/questdb/Dockerfile). */
import { mkdir } from "node:fs/promises";
import { readConfig } from "../src/config.ts";
import { reportFailure } from "../src/errors/startFailure.ts";
import { findJava } from "./provision/java.ts";
import { planQuestdb } from "./provision/questdb.ts";

try {
  const config = readConfig(process.env);
  await mkdir(config.stack.cacheDir, { recursive: true });
  const signal = new AbortController().signal;
  const java = await findJava(config, signal);
  const { patch } = await planQuestdb({ config, log: console.error, signal }, java)();
  console.log(patch);
} catch (error) {
  reportFailure(error, (code) => `QuestDB could not be installed${code}.`);
}
