import { customTables } from "../../src/query/custom/tables.ts";

/** The tables and columns of structured queries. */
export function customTablesTable(): string {
  const rows = [...customTables.values()].map(({ name, aliases, meaning, columns, hasProperties }) => {
    const shown = [...columns.keys(), ...(hasProperties ? ["properties.<key>"] : [])];
    return `| ${quoted([name, ...aliases]).join(", ")} | ${meaning} | ${quoted(shown).join(" ")} |`;
  });
  return ["| table | rows | columns |", "|---|---|---|", ...rows].join("\n");
}

function quoted(names: readonly string[]): string[] {
  return names.map((name) => `\`${name}\``);
}
