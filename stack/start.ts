/**
 * `npm start`: runs the whole product on this machine until Ctrl-C; `npm start -- --demo` with demo data.
 *
 * Started by run.sh with the id of the process that started that, such as npm; when that one is gone, everything here ends too.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, type Env, readConfig } from "../src/config.ts";
import { exitCodes, StartFailure } from "../src/startFailure.ts";
import { banner, earlyBanner } from "./banner.ts";
import { diesWithUs } from "./boundProcess.ts";
import { runDemo } from "./demo.ts";
import { StackError } from "./error.ts";
import { elapsed } from "./progress.ts";
import { type Stack, startStack } from "./stack.ts";

const parentCheckMs = 1_000;
/** Ctrl-C reaches us from the terminal, and again from npm: within this time they count as one. */
const sameSignalMs = 1_000;

const startedAt = performance.now();
const giveUp = new AbortController();
const log = (line: string) => console.log(`[lookout] ${line}`);
let stack: Stack | undefined;
let stoppingSince: number | undefined;

function stop(reason: string): void {
  const now = performance.now();
  if (stoppingSince !== undefined) {
    if (now - stoppingSince < sameSignalMs) return;
    log("stopping at once");
    process.exit(130);
  }
  stoppingSince = now;
  log(`${reason}, stopping (once more to stop at once)`);
  giveUp.abort(new StackError("The start was given up."));
  stack?.stop().then(
    () => {
      log("stopped");
      process.exit(0);
    },
    (error: unknown) => fail(error),
  );
}

function fail(error: unknown): never {
  if (stoppingSince !== undefined && stack === undefined) {
    log("stopped");
    process.exit(0);
  }
  const isExpected = error instanceof StartFailure;
  console.error(isExpected ? `\n${error.message}` : error);
  process.exit(isExpected ? error.exitCode : exitCodes.failed);
}

process.on("SIGINT", () => stop("Ctrl-C"));
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGHUP", () => stop("SIGHUP"));
// A closed terminal, or a full disk for our output, must not keep us from running and stopping the servers.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const parent = Number(process.argv[2]);
if (parent)
  setInterval(() => {
    if (process.ppid !== parent && stoppingSince === undefined) stop("The process that started this is gone");
  }, parentCheckMs).unref();

try {
  const isDemo = readArguments();
  const config = readConfig(isDemo ? withOwnTarget(process.env) : process.env);
  if (!diesWithUs(config.stack.path))
    log("setpriv is missing, so kill -9 would leave servers behind. Install util-linux to change that.");
  log("starting QuestDB, Temporal, PostgreSQL, the API and the worker");
  const onEarlyApi = (running: Config) => console.log(earlyBanner(running, elapsed(startedAt)));
  stack = await startStack({ config, log, signal: giveUp.signal, onEarlyApi });
  const hasCredentials = existsSync(join(config.stack.dataDir, "credentials.json"));
  console.log(banner(stack.config, elapsed(startedAt), hasCredentials));
  if (isDemo) await runDemo(stack, log);
} catch (error) {
  fail(error);
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

/** The monitors of the demo check this service itself, whose address is private. */
function withOwnTarget(env: Env): Env {
  return { ...env, UPTIME_ALLOW_CIDRS: [env["UPTIME_ALLOW_CIDRS"], "127.0.0.1/32"].filter(Boolean).join(",") };
}
