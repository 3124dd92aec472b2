import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { docTables } from "../../codegen/docs/docTables.ts";
import { addDegradedMetric } from "../../src/health/healthMetrics.ts";
import { runbookOf, stateNames, states } from "../../src/health/states.ts";
import { alertRules, metricsOf, monitoringExpressions } from "../kit/monitoring/metricNames.ts";

type Scraped = { readonly job_name: string; readonly static_configs?: readonly object[] };

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
  const ofStates = stateNames.map((name) => runbookOf(name));
  const links = alertRules.map(({ annotations }) => annotations.runbook_url).filter((link) => !link.includes("{{"));
  expect([...links, ...ofStates].filter((link) => !headings.includes(link))).toEqual([]);
});

test("8: the alert rules cover the severities of all states, and the dashboard shows states, free space and the age of backups", () => {
  const covered = alertRules.map(({ expr }) => /^lookout_degraded\{severity="(\w+)"\} == 1$/.exec(expr)?.[1]);
  expect(covered).toEqual(expect.arrayContaining(stateNames.map((name) => states[name].severity)));
  const shown = monitoringExpressions()
    .filter(({ source }) => !alertRules.some(({ alert }) => alert === source))
    .flatMap(metricsOf);
  expect(shown).toEqual(
    expect.arrayContaining(["lookout_degraded", "lookout_disk_free_bytes", "lookout_backup_timestamp_seconds"]),
  );
});

test("8: the targets of Prometheus are named, so that one that is gone is still a target that does not answer", () => {
  const { scrape_configs: configs } = parse(readFileSync(`${root}monitoring/prometheus/prometheus.yml`, "utf8"));
  expect(configs.map(({ job_name, static_configs }: Scraped) => [job_name, static_configs?.length])).toEqual([
    ["lookout-api", 1],
    ["lookout-worker", 1],
  ]);
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.skipIf(!hasPromtool)("8: each state of /readyz raises an alert with its severity and its section", async () => {
  const directory = mkdtempSync(join(tmpdir(), "lookout-alerts-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of stateNames) {
    const registry = new Registry();
    addDegradedMetric(registry, [name], () => [name]);
    const series = /^lookout_degraded\{(.*)\} 1$/m.exec(await registry.metrics())?.[1];
    expect(series).toBeDefined();
    const { severity, section } = states[name];
    const file = join(directory, `${name}.yml`);
    writeFileSync(
      file,
      stringify({
        rule_files: [`${root}monitoring/prometheus/alerts.yml`],
        evaluation_interval: "1m",
        tests: [
          {
            interval: "1m",
            input_series: [{ series: `lookout_degraded{instance="a",${series}}`, values: "1x20" }],
            alert_rule_test: [
              {
                alertname: "LookoutDegraded",
                eval_time: "15m",
                exp_alerts: [
                  {
                    exp_labels: { severity, section, state: name, instance: "a" },
                    exp_annotations: {
                      summary: `a reports ${name}; its /readyz has the details`,
                      runbook_url: runbookOf(name),
                    },
                  },
                ],
              },
            ],
          },
        ],
      }),
    );
  }
  const files = stateNames.map((name) => join(directory, `${name}.yml`));
  expect(execFileSync("promtool", ["test", "rules", ...files], { encoding: "utf8" })).toContain("SUCCESS");
});

test.skipIf(!hasPromtool)("8: promtool accepts the configuration and the rules", () => {
  const promtool = (...given: string[]) =>
    execFileSync("promtool", given, { cwd: `${root}monitoring/prometheus`, stdio: "pipe" });
  promtool("check", "config", "--syntax-only", "prometheus.yml");
  promtool("check", "rules", "alerts.yml");
});
