import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = "workflows";

it("every signal, update and query has a description, which the Temporal UI shows to whoever sends it", async () => {
  const handlers: string[] = [];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".ts")) continue;
    const source = await readFile(join(folder, file), "utf8");
    // Up to the end of the call, whose closing bracket is indented like its beginning.
    for (const [call] of source.matchAll(/^( *)setHandler\([\s\S]*?\n\1\}?\);/gm)) handlers.push(call);
    expect(source.match(/setHandler\(/g)?.length ?? 0).toBe(source.match(/^ *setHandler\(/gm)?.length ?? 0);
  }
  expect(handlers).toHaveLength(3);
  for (const handler of handlers) expect(handler).toMatch(/\bdescription:\s+["'`]/);
});
