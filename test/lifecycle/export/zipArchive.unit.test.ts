import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ZipEntry, zipArchive } from "../../../src/lifecycle/export/run/zipArchive.ts";
import { readArchive } from "../../kit/stores/readArchive.ts";

const modified = new Date("2026-11-24T13:14:15Z");

function entry(name: string, pieces: readonly Uint8Array[], isDeflated = true): ZipEntry {
  return {
    name,
    isDeflated,
    async *bytes() {
      yield* pieces;
    },
  };
}

async function archiveOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipArchive(entries, modified)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("4.18: archives", () => {
  const lines = Buffer.from("a line that repeats itself\r\n".repeat(10_000));
  const files = new Map<string, Uint8Array[]>([
    ["none.csv", []],
    ["short.csv", [Buffer.from("ä")]],
    ["long.csv", Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? lines : randomBytes(100_001)))],
    ["ünï.txt", [lines]],
  ]);

  test.for([true, false])("hold each file as it was, deflated: %s", async (isDeflated) => {
    const archive = await archiveOf([...files].map(([name, pieces]) => entry(name, pieces, isDeflated)));
    const read = readArchive(archive);
    expect([...read.keys()]).toEqual([...files.keys()]);
    for (const [name, pieces] of files) expect(read.get(name)?.equals(Buffer.concat(pieces)), name).toBe(true);
    if (isDeflated) expect(archive.length).toBeLessThan(3_000_000);
    // java.util.zip.ZipInputStream: "only DEFLATED entries can have EXT descriptor".
    expect([archive.readUInt16LE(6) & 8, archive.readUInt16LE(8)]).toEqual([8, 8]);
  });
});
