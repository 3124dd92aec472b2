import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { type Stack, startStack } from "../../stack/stack.ts";

export type Credentials = {
  readonly websiteId: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
};

/** Periods so long that no date on which the test runs erases what the fixture holds. */
const days = "3650";
const keepsAll = {
  RETENTION_RAW_EVENT_DAYS: days,
  RETENTION_AGGREGATED_DAYS: days,
  RETENTION_PERFORMANCE_DAYS: days,
  RETENTION_CUSTOM_EVENT_DAYS: days,
};

/** All of the product on this DATA_DIR. */
export async function startOn(dataDir: string): Promise<Stack> {
  const own = {
    DATA_DIR: dataDir,
    PORT: "0",
    BASE_URL: undefined,
    LOG_LEVEL: "warn",
    UPTIME_ALLOW_CIDRS: "127.0.0.0/8",
  };
  const config = readConfig({ ...process.env, ...keepsAll, ...own });
  return startStack({ config, log: () => undefined, preferUsualPorts: false });
}

export async function readCredentials(dataDir: string): Promise<Credentials> {
  return JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
}
