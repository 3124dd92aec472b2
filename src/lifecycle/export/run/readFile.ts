import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { ExportRow } from "../exportRow.ts";
import { formats } from "../format/formats.ts";
import type { ExportStorage } from "../storage/exportStorage.ts";
import { partEndName, partName } from "../storage/fileNames.ts";
import type { ArchivedFile } from "./manifest.ts";
import type { PlannedFile } from "./planFiles.ts";

/**
 * The bytes of a file of an archive, from its parts. `onPart` is called after each part; `onEnd` with the file's
 * manifest entry, after all of its bytes.
 */
export async function* readFile(
  storage: ExportStorage,
  row: ExportRow,
  { name, dataset, firstPart, parts, rows }: PlannedFile,
  onPart: () => void,
  onEnd: (file: ArchivedFile) => void,
): AsyncGenerator<Uint8Array> {
  const format = formats[row.format];
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = (piece: Uint8Array): Uint8Array => {
    hash.update(piece);
    bytes += piece.length;
    return piece;
  };
  const ends: Uint8Array[] = [];
  yield counted(format.head(dataset.columns));
  for (let index = firstPart; index < firstPart + parts; index += 1) {
    for await (const piece of storage.read(partName(row.id, dataset.name, index))) yield counted(piece);
    if (format.hasEnds) ends.push(await buffer(storage.read(partEndName(row.id, dataset.name, index))));
    onPart();
  }
  yield counted(format.tail(dataset.columns, ends));
  onEnd({ name, dataset, rows, bytes, sha256: hash.digest("hex") });
}
