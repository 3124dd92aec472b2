import { exitCodes, StartFailure } from "../src/errors/startFailure.ts";

/** Runs a command and sets its exit code. Problems that its user can fix are shown as one sentence. */
export async function commandOf(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.exitCode = showFailure(error);
  }
}

/** Returns the exit code. */
export function showFailure(error: unknown): number {
  const isExpected = error instanceof StartFailure;
  console.error(isExpected ? `\n${error.message}` : error);
  return isExpected ? error.exitCode : exitCodes.failed;
}
