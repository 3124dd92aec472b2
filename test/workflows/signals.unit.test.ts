import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = "workflows";

it("every signal, update and query has a description, which the Temporal UI shows to whoever sends it", async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  // From each call to the line that closes it, which is indented alike.
  const calls = sources.flatMap((source) =>
    [...source.matchAll(/^( *)setHandler\([\s\S]*?\n\1\S/gm)].map(([call]) => call),
  );
  expect(calls).toHaveLength(sources.join().split("setHandler(").length - 1);
  expect(calls.filter((call) => !/\bdescription:\s+["'`]/.test(call))).toEqual([]);
});
