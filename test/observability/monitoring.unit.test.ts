import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { docTables } from "../../codegen/docs/docTables.ts";
import { alertRules, metricsOf, monitoringExpressions } from "../kit/monitoring/metricNames.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("8: the alert rules and the dashboard ask for metrics that are documented, by names and kinds", async () => {
  const table = String(await docTables["metrics"]?.text());
  const documented = new Set(
    [...table.matchAll(/^\| `(lookout_\w+)` \| (\w+) \|/gm)].flatMap(([, name = "", kind]) =>
      kind === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name],
    ),
  );
  expect(documented.size).toBeGreaterThan(30);
  const unknown = monitoringExpressions().flatMap((expression) =>
    metricsOf(expression)
      .filter((name) => name.startsWith("lookout_") && !documented.has(name))
      .map((name) => `${expression.source}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("8: text that is not PromQL is refused, and labels are not taken for metrics", () => {
  expect(() => metricsOf({ source: "x", text: "sum(a" })).toThrow("not PromQL");
  expect(metricsOf({ source: "x", text: 'sum by (b) (rate(a{c="d"}[5m])) / on (e) f' })).toEqual(["a", "f"]);
});

test("8: each alert leads to a section that says what to do and names it", () => {
  const page = readFileSync(`${root}docs/operate/troubles.md`, "utf8");
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(
    ([, title = ""]) =>
      `docs/operate/troubles.md#${title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`,
  );
  expect(alertRules.length).toBeGreaterThan(15);
  const links = alertRules.map(({ annotations }) => annotations.runbook_url);
  expect(links.filter((link) => !headings.includes(link))).toEqual([]);
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.skipIf(!hasPromtool)("8: promtool accepts the configuration, the rules and their tests", () => {
  const promtool = (...given: string[]) =>
    execFileSync("promtool", given, { cwd: `${root}monitoring/prometheus`, stdio: "pipe" });
  promtool("check", "config", "--syntax-only", "prometheus.yml");
  promtool("check", "rules", "alerts.yml");
  promtool("test", "rules", "alerts.test.yml");
});
