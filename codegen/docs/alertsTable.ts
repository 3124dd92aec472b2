import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { stateNames, states } from "../../src/health/states.ts";
import { quoted, table } from "./markdown.ts";

type Rule = {
  readonly alert: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook_url: string };
};

const rules = new URL("../../monitoring/prometheus/alerts.yml", import.meta.url);
const page = readFileSync(new URL("../../docs/operate/troubles.md", import.meta.url), "utf8");
const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);

/** The table of troubles.md that leads from the name of an alert, or of a state of /readyz, to its section. */
export function alertsTable(): string {
  const alerts: readonly Rule[] = parse(readFileSync(rules, "utf8")).groups.flatMap(
    ({ rules }: { readonly rules: readonly Rule[] }) => rules,
  );
  // The rules of states have their section from the state.
  const own = alerts
    .filter(({ annotations }) => !annotations.runbook_url.includes("{{"))
    .map(({ alert, labels, annotations }) => [
      quoted(alert),
      labels.severity,
      linked(annotations.runbook_url.split("#")[1] ?? ""),
    ]);
  const ofStates = stateNames.map((name) => [quoted(name), states[name].severity, linked(states[name].section)]);
  return table(["alert, or state of `LookoutDegraded`", "severity", "section"], [...own, ...ofStates]);
}

/** `[A full disk](#a-full-disk)`, by the page's own headings. */
function linked(section: string): string {
  const title = headings.find((heading) => anchorOf(heading) === section);
  if (title === undefined) throw new Error(`docs/operate/troubles.md has no section ${section}`);
  return `[${title}](#${section})`;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}
