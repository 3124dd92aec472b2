import type { Config } from "../src/config.ts";
import { StackError } from "./error.ts";
import type { Log } from "./progress.ts";
import { runTool } from "./tool.ts";

/** Builds the web app if its sources have changed; takes seconds. */
export async function buildWebApp(config: Config, root: string, log: Log, signal: AbortSignal): Promise<void> {
  const { code, output } = await runTool(process.execPath, ["web/app/build.ts"], {
    env: config.stack.environment,
    cwd: root,
    signal,
    onLine: log,
  });
  if (code !== 0)
    throw new StackError(`The web app could not be built:\n${output}\nCorrect that and run npm run build:app.`);
}
