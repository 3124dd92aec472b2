import { join } from "node:path";
import type { Config } from "../src/config.ts";
import { type Credentials, firstSignInLink, type Output } from "./firstSignIn.ts";

/** What credentials.json says, undefined without the file, and where the banner goes. */
type Known = { readonly credentials: Credentials | undefined; readonly output: Output };

/** What the person who started the stack needs to know. */
export function banner(config: Config, startedIn: string, { credentials, output }: Known): string {
  const { dataDir, given } = config.stack;
  const { baseUrl } = config.server;
  const questdb = withoutPassword(config.questdb.http);
  const login = given.questdbHttp ? "" : ` (user admin, password in ${join(dataDir, "questdb.password")})`;
  return `
Open ${firstSignInLink(baseUrl, credentials, output) ?? baseUrl}
Lookout is ready after ${startedIn}. ${howToSignIn(baseUrl, { credentials, output })}
  Credentials      ${credentialsLine(config, credentials !== undefined)}
  OpenAPI          ${baseUrl}/openapi.json
  Metrics          ${baseUrl}/metrics, of the worker ${workerMetrics(config)}
  Temporal UI      ${given.temporal && !given.temporalUi ? "that of your Temporal server" : config.temporal.uiUrl}
  QuestDB console  ${questdb}${login}
  Logs             ${join(dataDir, "logs")}
Ctrl-C stops it.
`;
}

/** What already works while Temporal is being installed or started. */
export function earlyBanner({ server, stack }: Config, startedIn: string, { credentials, output }: Known): string {
  return `
Open ${firstSignInLink(server.baseUrl, credentials, output) ?? server.baseUrl}
The API answers after ${startedIn}: events, queries and links work. Monitors, exports and deletions start as soon as Temporal is there.
  Credentials      ${join(stack.dataDir, "credentials.json")}
`;
}

/** Which password the person has. */
function howToSignIn(baseUrl: string, { credentials, output }: Known): string {
  if (firstSignInLink(baseUrl, credentials, output) !== undefined)
    return "The link is for the first owner, who chooses a password there; it works until then.";
  if (credentials?.password !== undefined)
    return "Sign in with the e-mail address and the password of credentials.json.";
  return "Sign in with your e-mail address and your password.";
}

function credentialsLine({ stack }: Config, hasCredentials: boolean): string {
  const file = join(stack.dataDir, "credentials.json");
  if (hasCredentials) return file;
  return [
    `${file} is missing or damaged. The accounts and API keys of the first start still work, but cannot be shown again.`,
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
