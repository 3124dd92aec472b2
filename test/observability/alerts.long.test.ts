import { execFileSync, spawnSync } from "node:child_process";
import { test } from "vitest";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

// Days of simulated time for each alert take 20 s.
test.skipIf(!hasPromtool)("8: each alert is raised, and not raised, as its tests say", () => {
  const cwd = new URL("../../monitoring/prometheus", import.meta.url).pathname;
  execFileSync("promtool", ["test", "rules", "alerts.test.yml"], { cwd, stdio: "pipe" });
});
