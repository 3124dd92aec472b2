import { type ChildProcess, fork } from "node:child_process";

/** A process of the product that a test started, and what it has written until now. */
export type ForkedProcess = { readonly child: ChildProcess; readonly output: () => string };

type Options = {
  /** Added to the environment of the tests. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
};

/** Starts a file of the product as `npm run` does, with a channel for its message that it is ready. */
export function forkProcess(file: string, { env, args = [], nodeFlags = [] }: Options): ForkedProcess {
  const child = fork(file, [...args], {
    env: { ...process.env, ...env },
    execArgv: [...nodeFlags],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return { child, output: () => output };
}
