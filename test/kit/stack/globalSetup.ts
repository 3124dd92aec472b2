import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../../src/config.ts";
import { planGoProgram } from "../../../stack/provision/go.ts";
import { startEmbeddedLookout } from "./embeddedLookout.ts";
import { quickStart } from "./quickStart.ts";
import type { RunningLookout } from "./runningLookout.ts";
import { startScaledLookout } from "./scaledLookout.ts";

const log = (line: string) => console.log(`[lookout] ${line}`);

/**
 * Starts the stores, the API and the worker on an empty DATA_DIR and free ports, before the first test file; with STACK=scale an installation
 * of several machines.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-test-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  // Again when a process that ends just then still writes into it.
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const { COVERAGE_DIR: coverageDir } = process.env;
  const own = {
    DATA_DIR: dataDir,
    PORT: "0",
    BASE_URL: undefined,
    LOG_LEVEL: "warn",
    // What tests leave running, such as an erasure that waits, would keep the worker for 20 s at the end.
    SHUTDOWN_TIMEOUT_MS: "1000",
  };
  const covered = coverageDir ? { NODE_V8_COVERAGE: join(coverageDir, "processes") } : {};
  const env = { ...process.env, ...own, ...covered, ...(project.name === "scale" ? {} : quickStart) };
  try {
    log("starting the servers for the tests");
    const start = isScale(project) ? startScaledLookout : startEmbeddedLookout;
    const [{ stop, credentialsDir, ...started }, grpcurlPath] = await Promise.all([
      start(env, log, signal),
      getGrpcurl(readConfig(env), signal),
    ]);
    const { organizationId, websiteId, apiKey }: Pick<RunningLookout, "organizationId" | "websiteId" | "apiKey"> =
      JSON.parse(await readFile(join(credentialsDir, "credentials.json"), "utf8"));
    await pauseRetention(started.temporalAddress);
    project.provide("lookout", { ...started, organizationId, websiteId, apiKey, grpcurlPath });
    return async () => {
      await stop();
      await removeData();
    };
  } catch (error) {
    giveUp.abort(error);
    await removeData();
    throw error;
  }
}

function isScale({ name }: TestProject): boolean {
  const { STACK: kind = "embedded" } = process.env;
  if (kind !== "embedded" && kind !== "scale") throw new Error(`STACK is ${kind}, and must be embedded or scale`);
  // Its tests start installations of their own, beside the embedded one.
  return kind === "scale" && name !== "scale";
}

/** Many tests have rows of fixed days, which are past their retention: over midnight the Schedule would erase them. */
async function pauseRetention(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  await new Client({ connection }).schedule.getHandle("retention").pause("tests have rows of days long ago");
  await connection.close();
}

async function getGrpcurl(config: ReturnType<typeof readConfig>, signal: AbortSignal): Promise<string> {
  const install = planGoProgram(
    { config, log, signal },
    {
      name: "grpcurl",
      label: "grpcurl",
      package: "github.com/fullstorydev/grpcurl/cmd/grpcurl",
      version: "v1.9.3",
      otherWays: "since the tests call the service with it",
    },
  );
  return await install();
}
