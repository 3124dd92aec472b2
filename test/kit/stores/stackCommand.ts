import { spawn } from "node:child_process";
import { once } from "node:events";
import { inject } from "vitest";

export type EndedCommand = { readonly code: number | null; readonly output: string };

/** Runs one of the commands about backups as npm does. Resolves to its exit code and what it printed. */
export async function runStackCommand(
  command: "backup" | "restore" | "verify",
  args: readonly string[],
  dataDir: string,
): Promise<EndedCommand> {
  const env = { ...process.env, DATA_DIR: dataDir, CACHE_DIR: inject("lookout").cacheDir };
  const child = spawn(process.execPath, [`stack/${command}.ts`, ...args], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = await once(child, "close");
  return { code, output };
}
