import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import type { QueryType } from "../../src/query/catalogue/queryType.ts";

/** The query types by category, with what each counts. */
export function queryTypesTables(): string {
  const byCategory = Map.groupBy(catalogue.values(), ({ category }) => category);
  return [...byCategory].map(([category, types]) => tableOf(category, types)).join("\n\n");
}

function tableOf(category: string, types: readonly QueryType[]): string {
  const rows = types.map(
    ({ name, description, isPublic }) => `| \`${name}\` | ${description} | ${isPublic ? "yes" : ""} |`,
  );
  return [`## ${category}`, "", "| type | what it answers | public |", "|---|---|---|", ...rows].join("\n");
}
