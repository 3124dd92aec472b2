import { fileURLToPath } from "node:url";
import { endProcess, forkPinned } from "./pinnedProcess.ts";
import type { LoadMessage, LoadOrder, LoadReport } from "./rawLoader.ts";

/** The core of the loader; the server that is measured has the other. */
const core = 1;

/** Has a process of its own send requests. Rejects with the first answer that is not as expected. */
export async function loadRaw(order: LoadOrder, whenWarm: () => void = () => undefined): Promise<LoadReport> {
  const loader = forkPinned(fileURLToPath(new URL("rawLoader.ts", import.meta.url)), { core });
  try {
    return await new Promise((resolve, reject) => {
      loader.on("message", (message: LoadMessage) => {
        if ("report" in message) resolve(message.report);
        else if ("refused" in message) reject(new Error(`An answer is not as expected: ${message.refused}`));
        else whenWarm();
      });
      loader.once("error", reject);
      loader.once("exit", (code) => reject(new Error(`the loader ended with ${code}`)));
      loader.send(order);
    });
  } finally {
    await endProcess(loader, "SIGKILL");
  }
}
