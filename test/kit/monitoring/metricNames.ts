import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
};
type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

/** A PromQL expression and where it is from. */
export type Expression = { readonly source: string; readonly text: string };

export const alertRules: readonly Rule[] = parse(read("prometheus/alerts.yml")).groups.flatMap(
  ({ rules }: { readonly rules: readonly Rule[] }) => rules,
);

/** What the alert rules and the dashboard ask Prometheus. */
export function monitoringExpressions(): readonly Expression[] {
  const { panels }: { panels: readonly Panel[] } = JSON.parse(read("grafana/dashboards/lookout.json"));
  return [
    ...alertRules.map(({ alert, expr }) => ({ source: alert, text: expr })),
    ...panels.flatMap(({ title, targets = [] }) =>
      // Grafana fills in its variable before it asks.
      targets.map(({ expr }) => ({ source: title, text: expr.replaceAll("$__rate_interval", "5m") })),
    ),
  ];
}

/** The metrics that a PromQL expression names. Throws when it is not PromQL. */
export function metricsOf({ source, text }: Expression): readonly string[] {
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, name, from, to, node }) => {
      if (type.isError) throw new Error(`${source}: not PromQL at ${from}: ${text}`);
      if (name === "Identifier" && node.parent?.name === "VectorSelector") names.push(text.slice(from, to));
    },
  });
  return names;
}

function read(path: string): string {
  return readFileSync(new URL(`../../../monitoring/${path}`, import.meta.url), "utf8");
}
