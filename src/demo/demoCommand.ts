/**
 * `node src/demo/demoCommand.ts`: fills a website with demo data, of the last 90 days, in a running product. `npm start --
 * --demo` runs it; the addresses come from the environment, and the key from credentials.json.
 */
import { readFile } from "node:fs/promises";
import { credentialsPath } from "../access/credentialsFile.ts";
import { ConfigError, readConfig } from "../config.ts";
import { reportFailure } from "../errors/startFailure.ts";
import { openStores } from "../main/compose.ts";
import { createLog } from "../observability/log.ts";
import { fillDemo } from "./fillDemo.ts";

try {
  const config = readConfig();
  const { apiKey } = await readCredentials(credentialsPath(config));
  const stores = openStores(config, createLog({ ...config.log, level: "warn" }, "demo"));
  try {
    await fillDemo(stores, apiKey, (line) => console.log(`[demo] ${line}`));
  } finally {
    await Promise.all([stores.postgres.end(), stores.questdb.close()]);
  }
} catch (error) {
  reportFailure(error, (code) => `The demo data could not be made${code}. Start once more with npm start -- --demo.`);
}

async function readCredentials(path: string): Promise<{ readonly apiKey: string }> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    throw new ConfigError(`${path} cannot be read, and demo data needs its key. Make a new one: npm run recover`);
  }
}
