import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { exitCodes } from "../../src/errors/startFailure.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const units = readdirSync(join(root, "deploy/systemd"));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Each line of a unit that gives this setting. */
function valuesOf(unit: string, name: string): string[] {
  const text = readFileSync(join(root, "deploy/systemd", unit), "utf8");
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

test("6: there is a unit for each process, and one for all servers", () => {
  expect(units).toEqual(["lookout-api.service", "lookout-probe.service", "lookout-worker.service", "lookout.service"]);
});

test.each([
  ["lookout-api.service", "api", ""],
  ["lookout-worker.service", "worker", ""],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd puts the region in.
  ["lookout-probe.service", "probe", " --region ${PROBE_REGION}"],
])("6: %s runs what npm run %s runs, with the same memory areas", (unit, script, more) => {
  const [command = ""] = valuesOf(unit, "ExecStart");
  const settings = valuesOf(unit, "Environment").filter((setting) => setting.startsWith("MALLOC_ARENA_MAX"));
  const run = [...settings, command.replace("/opt/lookout/node_modules/.bin/", "")].join(" ");
  expect(run).toBe(`${scripts[script]}${more}`);
});

test("6: lookout.service runs what npm start runs", () => {
  expect(`exec ${valuesOf("lookout.service", "ExecStart")[0]?.replace("/bin/", "")}`).toBe(scripts.start);
});

test("6: lookout.service goes on with its other servers when Linux ends one for its memory", () => {
  expect(valuesOf("lookout.service", "OOMPolicy")).toEqual(["continue"]);
});

describe.each(units)("%s", (unit) => {
  test("6: is not started again after an exit that its operator has to deal with", () => {
    expect(valuesOf(unit, "RestartPreventExitStatus")).toEqual([String(exitCodes.needsOperator)]);
    expect(valuesOf(unit, "Restart")).toEqual(["on-failure"]);
  });

  test("6: is accepted by systemd, which finds it well protected", (context) => {
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) context.skip("systemd-analyze is not installed");
    const directory = mkdtempSync(join(tmpdir(), "lookout-units-"));
    try {
      const file = join(directory, unit);
      // Programs and the user are looked up: those of this machine.
      const text = readFileSync(join(root, "deploy/systemd", unit), "utf8");
      writeFileSync(
        file,
        text
          .replaceAll("/opt/lookout/", root)
          .replaceAll("/opt/lookout", root)
          .replace(/^(User|Group)=.*$/gm, "$1=root"),
      );
      const run = (...args: string[]) => spawnSync("systemd-analyze", [...args, file], { encoding: "utf8" });
      expect(run("verify")).toMatchObject({ status: 0, stderr: "" });
      // Of 10, where 10 is a service without any protection.
      expect(run("security", "--offline=yes", "--threshold=30").status).toBe(0);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
