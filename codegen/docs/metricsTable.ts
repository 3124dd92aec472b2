import { createMetrics } from "../../src/observability/metrics.ts";

/** The metrics of a process, apart from those of Node.js. */
export async function metricsTable(): Promise<string> {
  const metrics = await createMetrics().registry.getMetricsAsJSON();
  const own = metrics.filter(({ name }) => name.startsWith("lookout_"));
  const rows = own.map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help} |`);
  return ["| metric | kind | meaning |", "|---|---|---|", ...rows].join("\n");
}
