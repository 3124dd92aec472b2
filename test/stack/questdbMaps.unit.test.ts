import { expect, test } from "vitest";
import { settingsForMaps } from "../../stack/servers/questdb.ts";

test("where Linux allows few mapped files, fewer statements run at once and idle readers are closed soon", () => {
  expect(settingsForMaps(65_530, 8)).toMatchObject({
    QDB_PG_WORKER_COUNT: "8",
    QDB_CAIRO_INACTIVE_READER_TTL: "5000",
  });
  expect(settingsForMaps(1_048_576, 8)).toEqual({ QDB_PG_WORKER_COUNT: "16" });
});

test("where the number of mapped files is not known, as few are assumed", () => {
  expect(settingsForMaps(Number(""), 8)).toMatchObject({ QDB_PG_WORKER_COUNT: "8" });
});
