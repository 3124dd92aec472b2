/**
 * `npm run test:coverage [-- arguments of vitest]`: unit and service tests, then which share of the lines that have code they reach, by folder, and the
 * files of which they reach nothing. `vitest.config.ts` says what COVERAGE_DIR does.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printCoverage } from "./print.ts";

const root = join(import.meta.dirname, "../../..");
const folder = await mkdtemp(join(tmpdir(), "lookout-coverage-"));
const inherit = { cwd: root, stdio: "inherit" } as const;
try {
  const tests = spawnSync(
    "sh",
    ["stack/run.sh", "test", "--project", "unit", "--project", "service", ...process.argv.slice(2)],
    {
      ...inherit,
      env: { ...process.env, COVERAGE_DIR: folder },
    },
  );
  await printCoverage(folder, root);
  process.exitCode = tests.status ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
