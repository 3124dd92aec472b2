import type { HealthSource } from "./source.ts";

/** Reports tables to which QuestDB applies nothing more. */
export function stuckSource(tables: { readonly stuckTables: readonly string[] }): HealthSource {
  return {
    everyMs: 0,
    async read() {
      return tables.stuckTables.map((table) => ({
        state: "table_stuck",
        of: table,
        message: `QuestDB applies nothing more to the table ${table}: queries do not see its new rows until QuestDB is started again`,
      }));
    },
  };
}
