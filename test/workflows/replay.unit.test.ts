import { readdir } from "node:fs/promises";
import { DefaultLogger, Runtime, Worker } from "@temporalio/worker";
import { beforeAll, expect, it } from "vitest";
import { payloadConverterPath, preloadModules, workflowsPath } from "../../workflows/bundleOptions.ts";
import { readHistory } from "./historyFile.ts";

const folder = new URL("./histories/", import.meta.url);
/** As the worker has them: one history holds a signal that cannot be decoded. */
const options = {
  workflowsPath,
  dataConverter: { payloadConverterPath },
  bundlerOptions: { preloadModules },
};

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger("ERROR") });
});

/**
 * Histories of real runs, as `temporal workflow show --output json` writes them. A run that outlives a deploy is replayed by the new
 * code; a difference would stop it. A new history is added when workflows do something new. From the first release on none is removed
 * while such runs may exist.
 */
it("every recorded workflow replays with the current code", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  expect(files).toEqual(
    expect.arrayContaining([
      "monitor-life.json",
      "monitor-continued.json",
      "monitor-regions.json",
      "incident-acknowledged.json",
      "delivery-retries.json",
      "export-life.json",
      "export-cancelled.json",
      "deletion-past.json",
      "deletion-until-now.json",
      "monitor-named.json",
      "monitor-watched.json",
      "monitor-maintenance.json",
      "incident-resolved.json",
      "delivery-failed.json",
      "export-failed.json",
      "deletion-outcome.json",
      "retention-change.json",
      "retention-change-cancelled.json",
      "retention-daily.json",
      "move-completed.json",
      "move-cancelled.json",
    ]),
  );
  const histories = await Promise.all(
    files.map(async (file) => ({ workflowId: file, history: await readHistory(new URL(file, folder)) })),
  );
  const failures: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories))
    if (error !== undefined) failures.push(`${workflowId}: ${error.message}`);
  expect(failures).toEqual([]);
}, 120_000);
