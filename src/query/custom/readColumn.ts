import { detail, type Problems, quoted } from "../../errors/problems.ts";
import { nearest } from "../../text/nearest.ts";
import { propertyFilterName, propertyKeyOf, propertyKeyProblem } from "../sql/eventProperties.ts";
import type { CustomColumn, CustomTable } from "./customTable.ts";
import { customTables } from "./tables.ts";

/** The documented table of a name. Undefined for an unknown one, with a violation. */
export function readTable(name: string, where: string, problems: Problems): CustomTable | undefined {
  const table = customTables.get(name);
  if (table !== undefined) return table;
  const names = [...customTables.keys()];
  return problems.add(detail(where, `must be one of ${names.join(", ")}, not ${quoted(name)}`, nearest(name, names)));
}

/** The column of a table by its name or alias, or a property of its events. Undefined for anything else, with a violation. */
export function readColumn(
  table: CustomTable,
  name: string,
  where: string,
  problems: Problems,
): CustomColumn | undefined {
  const key = table.hasProperties ? propertyKeyOf(name) : undefined;
  if (key !== undefined) {
    const problem = propertyKeyProblem(key);
    if (problem === undefined) return { name, kind: "property", source: { propertyKey: key } };
    return problems.add(detail(where, `cannot be used: ${problem}`));
  }
  const column = table.columns.get(table.columnAliases.get(name) ?? name);
  if (column !== undefined) return column;
  const names = [...table.columns.keys(), ...table.columnAliases.keys()];
  const more = table.hasProperties ? ` or ${propertyFilterName}` : "";
  const message = `must be a column of ${table.name} (${[...table.columns.keys()].join(", ")})${more}, not ${quoted(name)}`;
  return problems.add(detail(where, message, nearest(name, names)));
}
