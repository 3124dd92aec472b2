import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const folder = new URL("../../workflows/", import.meta.url);

it("every activity is called through aliveActivities, which watches its worker", async () => {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && file !== "activityOptions.ts",
  );
  const unwatched: string[] = [];
  for (const file of files) {
    const text = await readFile(new URL(file, folder), "utf8");
    // Local activities are watched by the timeout of their workflow task, 10 seconds.
    if (/\b(?:proxyActivities|scheduleActivity)\b(?!:)/.test(text)) unwatched.push(file);
  }
  expect(unwatched).toEqual([]);
});

it("every worker sends the heartbeats of its activities", async () => {
  for (const file of ["worker.ts", "probe.ts"])
    expect(await readFile(new URL(file, folder), "utf8"), file).toContain("...heartbeating");
});
