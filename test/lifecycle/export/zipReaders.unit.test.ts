import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zipArchive } from "../../../src/lifecycle/export/run/zipArchive.ts";
import { hasJava, readWithJava, runs } from "./javaZipReader.ts";

const run = promisify(execFile);

/** As the files of exports: text is deflated, Parquet is not. */
const files: readonly { readonly name: string; readonly pieces: readonly Buffer[]; readonly isDeflated: boolean }[] = [
  { name: "none.csv", pieces: [], isDeflated: true },
  { name: "manifest.json", pieces: [Buffer.from('{"ä": 1}')], isDeflated: false },
  {
    name: "events.csv",
    pieces: Array.from({ length: 20 }, () => Buffer.from("a line\r\n".repeat(9_000))),
    isDeflated: true,
  },
  { name: "ünï/events.parquet", pieces: [randomBytes(100_001), randomBytes(70_000)], isDeflated: false },
];
const expected = files.map(({ name, pieces }) => `${name} ${sha256(Buffer.concat(pieces))}`);

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "zip-"));
  archive = join(folder, "export.zip");
  const entries = files.map(({ pieces, ...file }) => ({ ...file, bytes: () => eachOf(pieces) }));
  const bytes: Uint8Array[] = [];
  for await (const piece of zipArchive(entries, new Date("2026-11-24T13:14:15Z"))) bytes.push(piece);
  await writeFile(archive, Buffer.concat(bytes));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function* eachOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads by the directory, checks each checksum, and says what it read. */
const pythonReader = `
import hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    if archive.testzip() is not None:
        sys.exit("damaged")
    for name in archive.namelist():
        print(name, hashlib.sha256(archive.read(name)).hexdigest())
`;

const linesOf = (stdout: string): string[] => stdout.trimEnd().split("\n");

describe("4.18: archives are read by programs of others", () => {
  test.skipIf(!runs("python3", "--version"))("Python's zipfile (skipped without python3)", async () => {
    const { stdout } = await run("python3", ["-X", "utf8", "-c", pythonReader, archive]);
    expect(linesOf(stdout)).toEqual(expected);
  });

  test.skipIf(!runs("unzip", "-v"))("unzip -t (skipped without unzip)", async () => {
    const { stdout } = await run("unzip", ["-t", archive]);
    expect(stdout).toContain("No errors detected");
    expect(stdout.match(/ OK$/gm)).toHaveLength(files.length);
  });

  test.skipIf(!hasJava)("Java's ZipInputStream, which reads as a stream (skipped without javac)", async () => {
    expect(await readWithJava(archive, folder)).toEqual(expected);
  });
});
