import { roleScopes } from "../../src/access/roleScopes.ts";
import { addDegradedMetric, addRefusalsMetric, createHealthMetrics } from "../../src/health/healthMetrics.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { addSubjectMetrics } from "../../src/observability/subjectMetrics.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { definitions } from "../../src/query/catalogue/definitions.ts";
import { customTables } from "../../src/query/custom/tables.ts";
import { type MeasureName, measureOf } from "../../src/query/sql/measures.ts";
import { addCertificateMetrics } from "../../src/uptime/figures/certificateMetrics.ts";
import { addWorkerMetrics } from "../../workflows/workerMetrics.ts";
import { alertsTable } from "./alertsTable.ts";
import { callsTable } from "./callsTable.ts";
import { errorsTable } from "./errorsTable.ts";
import { quoted, table } from "./markdown.ts";
import { keyedCalls, scopesTable } from "./scopesTable.ts";
import { fixedValuesTable, settingsTables } from "./settingsTable.ts";
import { statesTable } from "./statesTable.ts";

/** The generated texts of the docs by their names in the markers, and the page that holds each. */
export const docTables: Readonly<
  Record<string, { readonly page: string; readonly text: () => string | Promise<string> }>
> = {
  settings: { page: "docs/operate/settings.md", text: settingsTables },
  "fixed values": { page: "docs/operate/settings.md", text: fixedValuesTable },
  alerts: { page: "docs/operate/troubles.md", text: alertsTable },
  states: { page: "docs/operate/health.md", text: statesTable },
  metrics: { page: "docs/operate/metrics.md", text: metricsTable },
  "query types": { page: "docs/user/query-types.md", text: queryTypesTables },
  figures: { page: "docs/user/queries.md", text: figuresTable },
  "custom tables": { page: "docs/user/queries.md", text: customTablesTable },
  scopes: { page: "docs/user/access.md", text: scopesTable },
  roles: { page: "docs/user/accounts.md", text: rolesTable },
  calls: { page: "docs/user/calls.md", text: callsTable },
  errors: { page: "docs/user/errors.md", text: errorsTable },
  idempotency: { page: "docs/user/errors.md", text: keyedCalls },
};

/** The metrics of a process, apart from those of Node.js. */
async function metricsTable(): Promise<string> {
  const { registry } = createMetrics();
  const fail = () => Promise.reject(new Error("no database"));
  addSubjectMetrics(registry, { query: fail });
  addCertificateMetrics(registry, { postgres: { query: fail }, questdb: { nodeOfEach: fail } });
  addWorkerMetrics(registry, []);
  addDegradedMetric(registry, [], () => []);
  createHealthMetrics(registry);
  addRefusalsMetric(registry, () => 0);
  const metrics = await registry.getMetricsAsJSON();
  const own = metrics.filter(({ name }) => name.startsWith("lookout_"));
  const rows = own.map(({ name, type, help }) => [quoted(name), String(type), help]);
  return table(["metric", "kind", "meaning"], rows);
}

/** The query types by category, with what each counts. */
function queryTypesTables(): string {
  const byCategory = Map.groupBy(catalogue.values(), ({ category }) => category);
  const tables = [...byCategory].map(([category, types]) => {
    const rows = types.map(({ name, description, isPublic }) => [quoted(name), description, isPublic ? "yes" : ""]);
    return `## ${category}\n\n${table(["type", "what it answers", "public"], rows)}`;
  });
  return tables.join("\n\n");
}

/** What the main figures mean. */
function figuresTable(): string {
  const rows = Object.entries(definitions).map(([name, text]) => [measureOf(name as MeasureName).label, text]);
  return table(["figure", "meaning"], rows);
}

/** The tables and columns of structured queries. */
function customTablesTable(): string {
  const rows = [...new Set(customTables.values())].map(({ name, aliases, meaning, columns, hasProperties }) => {
    const shown = [...columns.keys(), ...(hasProperties ? ["properties.<key>"] : [])];
    return [[name, ...aliases].map(quoted).join(", "), meaning, shown.map(quoted).join(" ")];
  });
  return table(["table", "rows", "columns"], rows);
}

/** The scopes of each role. */
function rolesTable(): string {
  const rows = Object.entries(roleScopes).map(([role, scopes]) => [quoted(role), [...scopes].map(quoted).join(" ")]);
  return table(["role", "scopes"], rows);
}
