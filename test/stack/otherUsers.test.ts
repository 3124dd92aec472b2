import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { pageView } from "../kit/calls/websiteCalls.ts";

/** A user other than root and "nobody"; the PostgreSQL that root starts runs as "nobody". */
const otherUser = 65_533;

/** Of these paths those that another user of this machine may read. */
async function readableByOthers(paths: readonly string[]): Promise<string[]> {
  const asOther = [`--reuid=${otherUser}`, `--regid=${otherUser}`, "--clear-groups", "--"];
  const script = 'while IFS= read -r path; do if [ -r "$path" ]; then printf "%s\\n" "$path"; fi; done';
  const run = promisify(execFile)("setpriv", [...asOther, "sh", "-c", script], { maxBuffer: 2 ** 26 });
  run.child.stdin?.end(paths.map((path) => `${path}\n`).join(""));
  return (await run).stdout.split("\n").filter(Boolean);
}

test("8: another user of the machine can read no file of a running installation", async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can act as another user");
  const { dataDir } = inject("lookout");
  const { websiteId } = await createWebsite();
  await send("POST", `/batch?website_id=${websiteId}`, { body: [pageView()] });
  // Again when QuestDB has removed a directory meanwhile.
  const paths = await vi.waitFor(
    async () => {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      return entries.map(({ parentPath, name }) => join(parentPath, name));
    },
    { timeout: 100_000 },
  );
  expect(paths.filter((path) => path.includes("/questdb/")).length).toBeGreaterThan(100);
  expect(await readableByOthers(paths)).toEqual([]);
  // The other user can read what is open: without that the rest would prove nothing.
  expect(await readableByOthers(["/etc/passwd"])).toEqual(["/etc/passwd"]);
});
