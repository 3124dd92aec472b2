/** `npm run start:scale`: runs an installation of several machines on this one until Ctrl-C. */
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { misspeltSettings } from "../src/misspeltSettings.ts";
import { warnWithoutSetpriv } from "./boundProcess.ts";
import { firstSignInLink, ownOutput, readCredentials } from "./firstSignIn.ts";
import { elapsed } from "./progress.ts";
import { runUntilStopped } from "./runUntilStopped.ts";
import { type ScaleStack, startScaleStack } from "./scale/scaleStack.ts";

const startedAt = performance.now();
const log = (line: string) => console.log(`[lookout] ${line}`);

/** Separate from the data of `npm start`. */
const dataDir = ".data/scale";

await runUntilStopped(Number(process.argv[2]), log, async (signal) => {
  const config = readConfig({ DATA_DIR: dataDir, TEMPORAL: "server", ...process.env });
  for (const warning of misspeltSettings()) log(warning);
  warnWithoutSetpriv(config.stack.path, log);
  log("starting PostgreSQL, Temporal, three brokers, QuestDBs with their consumers, APIs and workers");
  const size = { shards: 2, replicas: 2, apis: 2, workers: 2 };
  const stack = await startScaleStack({ config, log, signal, preferUsualPorts: true, ...size });
  // The first API made the accounts.
  const credentials = await readCredentials(join(config.stack.dataDir, "api-1"));
  const address = firstSignInLink(stack.url, credentials, ownOutput()) ?? stack.url;
  console.log(banner(stack, address, config.stack.dataDir, elapsed(startedAt)));
  return stack;
});

function banner({ parts, env }: ScaleStack, address: string, dataDir: string, startedIn: string): string {
  return `
Open ${address}
Lookout is ready after ${startedIn}; the address is that of a proxy.
  Brokers               ${env["KAFKA_BROKERS"]}
  Temporal UI           ${env["TEMPORAL_UI"]}
  Credentials           ${join(dataDir, "api-1", "credentials.json")}
  Logs                  ${join(dataDir, "logs")}
  Processes             ${parts.join(", ")}
Kill any of them: it is started again, and no acknowledged event is missing. Ctrl-C stops everything.
`;
}
