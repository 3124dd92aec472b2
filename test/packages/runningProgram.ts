import { type ChildProcess, spawn } from "node:child_process";

export type RunningProgram = {
  /** What it has printed so far. */
  output(): string;
  stop(): Promise<void>;
};

/** Starts a program that runs until it is stopped. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): RunningProgram {
  const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env } });
  let output = "";
  const add = (text: Buffer) => {
    output += text.toString();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return { output: () => output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
}
