import { join } from "node:path";
import type { Config } from "../src/config.ts";

/** What the person who started the stack needs to know. `hasCredentials`: whether credentials.json exists. */
export function banner(config: Config, startedIn: string, hasCredentials: boolean): string {
  const { dataDir, given } = config.stack;
  const { baseUrl } = config.server;
  const questdb = withoutPassword(config.questdb.http);
  const login = given.questdbHttp ? "" : ` (user admin, password in ${join(dataDir, "questdb.password")})`;
  return `
Open ${baseUrl}
Lookout is ready after ${startedIn}. Sign in with the e-mail address and the password of credentials.json.
  Credentials      ${credentials(config, hasCredentials)}
  OpenAPI          ${baseUrl}/openapi.json
  Metrics          ${baseUrl}/metrics, of the worker ${workerMetrics(config)}
  Temporal UI      ${given.temporal && !given.temporalUi ? "that of your Temporal server" : config.temporal.uiUrl}
  QuestDB console  ${questdb}${login}
  Logs             ${join(dataDir, "logs")}
Ctrl-C stops it.
`;
}

/** What already works while Temporal is being installed or started. */
export function earlyBanner({ server, stack }: Config, startedIn: string): string {
  return `
Open ${server.baseUrl}
The API answers after ${startedIn}: events, queries and links work. Monitors, exports and deletions start as soon as Temporal is there.
  Credentials      ${join(stack.dataDir, "credentials.json")}
`;
}

function credentials({ stack }: Config, hasCredentials: boolean): string {
  const file = join(stack.dataDir, "credentials.json");
  if (hasCredentials) return file;
  return [
    `${file} is missing. The accounts and API keys of the first start still work, but cannot be shown again.`,
    "Restore the file from a backup, or make a new password and key: npm run recover",
  ].join("\n                   ");
}

function workerMetrics({ operations: { host, workerPort } }: Config): string {
  return workerPort === 0 ? "none" : `http://${host}:${workerPort}/metrics`;
}

/** The console itself asks for user and password. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}
