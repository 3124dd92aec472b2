/**
 * `npm start`: runs the whole product on this machine until Ctrl-C; `npm start -- --demo` with demo data.
 */
import { type Config, type Env, readConfig } from "../src/config.ts";
import { misspeltSettings } from "../src/misspeltSettings.ts";
import { banner, earlyBanner } from "./banner.ts";
import { warnWithoutSetpriv } from "./boundProcess.ts";
import { runDemo } from "./demo.ts";
import { StackError } from "./error.ts";
import { ownOutput, readCredentials } from "./firstSignIn.ts";
import { elapsed } from "./progress.ts";
import { runUntilStopped } from "./runUntilStopped.ts";
import { startStack } from "./stack.ts";

const startedAt = performance.now();
const log = (line: string) => console.log(`[lookout] ${line}`);
let isDemo = false;

await runUntilStopped(
  Number(process.argv[2]),
  log,
  async (signal) => {
    isDemo = readArguments();
    const config = readConfig(isDemo ? withOwnTarget(process.env) : process.env);
    for (const warning of misspeltSettings()) log(warning);
    warnWithoutSetpriv(config.stack.path, log);
    log("starting QuestDB, Temporal, PostgreSQL, the API and the worker");
    const onEarlyApi = async (running: Config) =>
      console.log(earlyBanner(running, elapsed(startedAt), await known(running)));
    return await startStack({ config, log, signal, onEarlyApi });
  },
  async (stack) => {
    console.log(banner(stack.config, elapsed(startedAt), await known(stack.config)));
    if (isDemo) await runDemo(stack, log);
  },
);

/** Read for each banner: the person may have chosen a password meanwhile. */
async function known(config: Config) {
  return { credentials: await readCredentials(config.stack.dataDir), output: ownOutput() };
}

/** Whether demo data is wanted. Throws for anything else. */
function readArguments(): boolean {
  const given = process.argv.slice(3);
  const unknown = given.find((argument) => argument !== "--demo");
  if (unknown !== undefined)
    throw new StackError(
      `npm start takes no arguments but --demo, and got ${unknown}. Settings are environment variables: docs/operate/settings.md`,
    );
  return given.length > 0;
}

/** The demo's monitors check this service itself, whose address is private. */
function withOwnTarget(env: Env): Env {
  return { ...env, UPTIME_ALLOW_CIDRS: [env["UPTIME_ALLOW_CIDRS"], "127.0.0.1/32"].filter(Boolean).join(",") };
}
