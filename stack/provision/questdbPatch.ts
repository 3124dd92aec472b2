import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The module of QuestDB with the changed classes. */
export const patchedModule = "io.questdb";

/** The changed classes, as paths in QuestDB's sources. */
export const patchedSources = [
  "io/questdb/cairo/ConcurrentBitmapIndexFwdReader.java",
  "io/questdb/cairo/O3PartitionJob.java",
  "io/questdb/cairo/O3Utils.java",
  "io/questdb/cairo/TableWriter.java",
  "io/questdb/cairo/pool/ReaderPool.java",
  "io/questdb/cairo/pool/WalWriterPool.java",
  "io/questdb/cutlass/pgwire/PGPipelineEntry.java",
];

/** The patch of a class, which also says why. */
export function patchOf(source: string): string {
  const name = basename(source, ".java");
  return fileURLToPath(new URL(`../../third_party/questdb/${name}.patch`, import.meta.url));
}

/** Applies the patches to the sources below a directory. Throws if a source is not the one that its patch was made for. */
export async function patchSources(directory: string): Promise<void> {
  for (const source of patchedSources) {
    const file = join(directory, source);
    await writeFile(file, applyPatch(await readFile(file, "utf8"), await readFile(patchOf(source), "utf8")));
  }
}

/** The text with the changes of a unified diff of one file. Each changed part must occur in the text exactly once. */
export function applyPatch(text: string, patch: string): string {
  const [, ...hunks] = patch.split(/^@@ .* @@.*\n/m);
  if (hunks.length === 0) throw new RangeError("The patch has no changes.");
  return hunks.reduce((changed, hunk) => {
    const lines = hunk.split("\n").filter((line) => line !== "");
    const without = (mark: string) =>
      lines
        .filter((line) => !line.startsWith(mark))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const parts = changed.split(without("+"));
    if (parts.length !== 2)
      throw new RangeError(`The patch does not fit: what it changes is ${parts.length - 1} times in the text.`);
    return parts.join(without("-"));
  }, text);
}

/** Arguments of Java that compile the sources below a directory. Unlike javac, the Eclipse compiler also runs on a JRE. */
export function compilerArguments(
  compiler: string,
  classPath: readonly string[],
  directory: string,
  to: string,
): string[] {
  return [
    ...["-jar", compiler, "-proc:none", "-nowarn", "-source", "17", "-target", "17"],
    ...["-classpath", classPath.join(":"), "-d", to],
    ...patchedSources.map((source) => join(directory, source)),
  ];
}
