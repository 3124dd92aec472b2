import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createHealthMetrics } from "../../src/health/healthMetrics.ts";
import { mapsSource } from "../../src/health/mapsSource.ts";
import { NoRoomForMapsError } from "../../src/store/questdb/mappedFiles.ts";
import { QuestdbMaps } from "../../src/store/questdb/questdbMaps.ts";

/** The files of a QuestDB on another machine. */
function elsewhere(maxMaps: number): QuestdbMaps {
  const [http, pg] = ["http://questdb.example.com:9000", "postgres://admin:quest@questdb.example.com:8812/qdb"];
  return new QuestdbMaps({ http, pg, maxMaps }, async () => 1_000);
}

test("8: how many files a QuestDB elsewhere has mapped is null in /readyz and absent in /metrics, never 0", async () => {
  const registry = new Registry();
  const nodes = [
    { name: "", reader: { maps: elsewhere(0) } },
    { name: "s1/a", reader: { maps: elsewhere(65_530) } },
  ];
  const source = mapsSource(nodes, createHealthMetrics(registry));
  expect(await source.read()).toEqual([]);
  expect(source.shown).toEqual([
    { mapped: null, limit: null },
    { node: "s1/a", mapped: null, limit: 65_530 },
  ]);
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("lookout_questdb_map"));
  expect(lines).toEqual(['lookout_questdb_map_limit{node="s1/a"} 65530']);
});

test("8: of a QuestDB elsewhere the reads that run count against the limit that was set, until they end", async () => {
  const maps = elsewhere(65_530);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = maps.run(40_000, () => promise);
  await expect(maps.run(40_000, async () => "read")).rejects.toThrow(NoRoomForMapsError);
  expect(await maps.run(900, async () => "read")).toBe("read");
  resolve();
  await first;
  expect(await maps.run(40_000, async () => "read")).toBe("read");
});

test("8: a refused read shows in /readyz", async () => {
  const maps = elsewhere(65_530);
  const source = mapsSource([{ name: "s1/a", reader: { maps } }], createHealthMetrics(new Registry()));
  maps.noteRefusal();
  expect(await source.read()).toEqual([
    { state: "maps_low", of: "s1/a", message: expect.stringContaining("long ranges are refused") },
  ]);
});
