import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readConfig } from "../src/config.ts";
import { valuesForProcess, withValues } from "./kit/stack/values.ts";

const values = { access: { keyUseMs: 100 }, exports: { partRows: 7 } };

test("a test's values take the place of constants, and leave the settings", () => {
  const config = withValues(readConfig({ EXPORT_MAX_RUNNING: "5" }), values);
  expect(config).toMatchObject({ access: { keyUseMs: 100 }, exports: { partRows: 7, maxRunning: 5 } });
});

test("a process that reads its own configuration has the test's values too", async () => {
  const { nodeFlags, env } = valuesForProcess(values);
  const source = `
    import { readConfig } from ${JSON.stringify(new URL("../src/config.ts", import.meta.url).href)};
    const { access, exports } = readConfig();
    console.log(JSON.stringify([access.keyUseMs, exports.partRows, exports.maxRunning]));`;
  const args = [...nodeFlags, "--input-type=module", "--eval", source];
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, EXPORT_MAX_RUNNING: "5", ...env } });
  expect(JSON.parse(stdout)).toEqual([100, 7, 5]);
});
