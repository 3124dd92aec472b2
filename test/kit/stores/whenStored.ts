import { expect } from "vitest";

/** Resolves when nothing that this API process acknowledged waits in its log any more: QuestDB has committed it. */
export async function whenStored({ baseUrl }: { readonly baseUrl: string }): Promise<void> {
  const waitingRows = async () => {
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    return /^lookout_log_rows (\d+)$/m.exec(metrics)?.[1];
  };
  await expect.poll(waitingRows, { timeout: 120_000 }).toBe("0");
}
