import { customTablesTable } from "./customTables.ts";
import { errorsTable } from "./errorsTable.ts";
import { metricsTable } from "./metricsTable.ts";
import { queryTypesTables } from "./queryTypesTable.ts";
import { rolesTable, scopesTable } from "./scopesTable.ts";
import { settingsTables } from "./settingsTable.ts";

/** The generated texts of the docs by their names in the markers, and the page that holds each. */
export const docTables: Readonly<
  Record<string, { readonly page: string; readonly text: () => string | Promise<string> }>
> = {
  settings: { page: "docs/operate/settings.md", text: settingsTables },
  metrics: { page: "docs/operate/run.md", text: metricsTable },
  "query types": { page: "docs/user/query-types.md", text: queryTypesTables },
  "custom tables": { page: "docs/user/queries.md", text: customTablesTable },
  scopes: { page: "docs/user/access.md", text: scopesTable },
  roles: { page: "docs/user/accounts.md", text: rolesTable },
  errors: { page: "docs/user/errors.md", text: errorsTable },
};
