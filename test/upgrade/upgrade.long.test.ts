import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf, type RecordedAnswer } from "./answers.ts";
import { callOf } from "./apiClient.ts";
import { unpack } from "./fixtureFile.ts";
import { shownMonitors } from "./runningMonitor.ts";
import { type Credentials, startOn } from "./upgradeStack.ts";

type Fixture = { readonly credentials: Credentials; readonly recorded: readonly RecordedAnswer[] };

/** The fixture's monitor. */
function monitorOf(recorded: readonly RecordedAnswer[]): { readonly id: string; readonly name: string } {
  const found = recorded.find(({ path }) => path === "/uptime/monitors/get");
  if (found === undefined) throw new Error("the fixture has a monitor");
  return found.answer as { readonly id: string; readonly name: string };
}

const directory = new URL(".", import.meta.url).pathname;
const versions = (await readdir(directory)).flatMap((name) => /^data-(.+)\.tar\.zst$/.exec(name)?.[1] ?? []);

// PostgreSQL's files of one architecture cannot be read on another.
test.runIf(process.arch === "x64").for(versions)(
  "a DATA_DIR of version %s is upgraded: its log is stored, and every answer is that of the present definitions",
  { timeout: 400_000 },
  async (version) => {
    const text = await readFile(join(directory, `answers-${version}.json`), "utf8");
    const { credentials, recorded }: Fixture = JSON.parse(text);
    const dataDir = await mkdtemp(join(tmpdir(), "lookout-upgrade-"));
    // PostgreSQL may run as another user, who has to pass.
    await chmod(dataDir, 0o711);
    await unpack(join(directory, `data-${version}.tar.zst`), dataDir);
    const stack = await startOn(dataDir);
    try {
      // The rows of the log are stored within a second, their sessions and daily records computed within a minute.
      for (const { answer, ...call } of recorded)
        await expect
          .poll(() => answerOf(stack.config.server.baseUrl, credentials, call), { timeout: 200_000, interval: 1_000 })
          .toMatchObject(answer as object);
      // Its workflow runs on under the id that it had, and is addressed by it.
      const { id, name } = monitorOf(recorded);
      await callOf(stack.config.server.baseUrl, credentials.apiKey)("POST", "/uptime/monitors/resume", { id });
      // Names begin with the website's domain since 0.3.0.
      const workflowId = version === "0.2.0" ? `monitor/${id}` : `monitor/localhost/${id.slice(0, 13)}`;
      await expect.poll(() => shownMonitors(stack)).toEqual([{ workflowId, status: "RUNNING", name }]);
    } finally {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
