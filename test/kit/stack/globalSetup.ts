import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../../src/config.ts";
import { planGoProgram } from "../../../stack/provision/go.ts";
import { startStack } from "../../../stack/stack.ts";

/** The product as it runs for all test files: `inject("lookout")`. */
export interface RunningLookout {
  readonly baseUrl: string;
  /** Health and metrics of the worker. */
  readonly workerUrl: string;
  readonly organizationId: string;
  readonly websiteId: string;
  /** The owner's key, with every scope. */
  readonly apiKey: string;
  readonly questdbHttp: string;
  readonly questdbPg: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUi: string;
  readonly dataDir: string;
  readonly cacheDir: string;
  /** Path of the grpcurl program. */
  readonly grpcurlPath: string;
}

declare module "vitest" {
  interface ProvidedContext {
    lookout: RunningLookout;
  }
}

const log = (line: string) => console.log(`[lookout] ${line}`);

/** For QuestDB: in the minutes that these tests take, the JVM's second compiler uses more processor time than it saves. */
const quickStart = { JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1" };

/** Starts the stores, the API and the worker on an empty DATA_DIR and free ports, before the first test file. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-test-"));
  // PostgreSQL may run as another user, who has to pass.
  await chmod(dataDir, 0o711);
  // Again when a process that ends just then still writes into it.
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const own = { DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" };
  const config = readConfig({ ...process.env, ...own, ...(project.name === "service" ? quickStart : {}) });
  try {
    log("starting the servers for the tests");
    const [stack, grpcurlPath] = await Promise.all([
      startStack({ config, log, preferUsualPorts: false, signal }),
      getGrpcurl(config, signal),
    ]);
    const credentials: { organizationId: string; websiteId: string; apiKey: string } = JSON.parse(
      await readFile(join(dataDir, "credentials.json"), "utf8"),
    );
    const { operations, server, questdb, postgres, temporal } = stack.config;
    await pauseRetention(temporal.address);
    project.provide("lookout", {
      baseUrl: server.baseUrl,
      workerUrl: `http://127.0.0.1:${operations.workerPort}`,
      organizationId: credentials.organizationId,
      websiteId: credentials.websiteId,
      apiKey: credentials.apiKey,
      questdbHttp: questdb.http,
      questdbPg: questdb.pg,
      databaseUrl: postgres.url,
      temporalAddress: temporal.address,
      temporalUi: temporal.uiUrl,
      dataDir,
      cacheDir: config.stack.cacheDir,
      grpcurlPath,
    });
    return async () => {
      await stack.stop();
      await removeData();
    };
  } catch (error) {
    giveUp.abort(error);
    await removeData();
    throw error;
  }
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
