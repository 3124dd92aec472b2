import { describe, expect, test } from "vitest";
import { isEventFile } from "../../../src/lifecycle/export/dataset.ts";
import { datasets } from "../../../src/lifecycle/export/datasets.ts";
import { keysOfTable } from "../../../src/store/questdb/tables.ts";
import { otherFiles } from "./otherSource.ts";

describe("4.18 every file of an export", () => {
  test("is compared with the rows that are stored", () => {
    // exportFormats.http.test.ts compares these, and exportKinds.http.test.ts incidents and all others.
    const apart = ["events", "outgoing_links", "sessions", "aggregated", "incidents"];
    expect(datasets.map(({ name }) => name).sort()).toEqual([...apart, ...Object.keys(otherFiles)].sort());
  });

  test.for(datasets.filter(isEventFile))(
    "has keys that distinguish rows of the same time: $name",
    ({ table, keys }) => {
      // Those of a website are of one organization.
      const known = ["website_id", "organization_id", ...keys.map(({ sql }) => sql)];
      expect(keysOfTable[table].filter((key) => !known.includes(key))).toEqual([]);
    },
  );
});
