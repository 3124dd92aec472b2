import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, readConfig } from "../../../src/config.ts";
import type { ImplementedHandlers } from "../../../src/gateway/procedure.ts";
import { Health } from "../../../src/health/health.ts";
import { type App, openApp } from "../../../src/main/compose.ts";
import { createServer } from "../../../src/main/server.ts";
import { createLog } from "../../../src/observability/log.ts";
import { storeEnv } from "./storeEnv.ts";
import { type Values, withValues } from "./values.ts";

export type OwnServer = { readonly port: number; readonly baseUrl: string; close(): Promise<void> };

/** The service's server in this process, on the real stores, with handlers, settings and other values of the test's choice. */
export async function startOwnServer(
  handlers: ImplementedHandlers<App>,
  env: Env = {},
  values: Values = {},
): Promise<OwnServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-log-"));
  const settings = readConfig({
    PORT: "0",
    LOG_LEVEL: "fatal",
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: "2",
    ...storeEnv(env),
  });
  const config = withValues(settings, values);
  const { app, close } = await openApp(config, createLog(config.log, "test"), () => true);
  const server = createServer(app, handlers, new Health("api", [], app));
  const port = await server.listen();
  return {
    port,
    baseUrl: `${config.server.tlsKeyFile ? "https" : "http"}://127.0.0.1:${port}`,
    close: async () => {
      app.changes.close();
      await server.close();
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
