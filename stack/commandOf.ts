import { exitCodes, StartFailure } from "../src/errors/startFailure.ts";

/** Runs a command to its exit code: what its user can fix is shown as a sentence. */
export async function commandOf(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const isExpected = error instanceof StartFailure;
    console.error(isExpected ? `\n${error.message}` : error);
    process.exitCode = isExpected ? error.exitCode : exitCodes.failed;
  }
}
