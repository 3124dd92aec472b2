import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fieldNameOf, filterNames } from "../../src/query/sql/fields.ts";

test("docs/user/queries.md names every filter of events", () => {
  const page = readFileSync(new URL("../../docs/user/queries.md", import.meta.url), "utf8");
  const section = page.slice(page.indexOf("**Event fields**"), page.indexOf("**Figures of events**"));
  const names = filterNames("events").filter((name) => fieldNameOf("events", name) === name);
  // `properties.<key>` is in the list, and a query is of one website unless it names several.
  const apart = ["properties", "website_id"];
  expect(names.filter((name) => !apart.includes(name) && !section.includes(`\`${name}\``))).toEqual([]);
});
