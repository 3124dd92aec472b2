import type { Dataset } from "../dataset.ts";
import { datasets } from "../datasets.ts";
import type { ExportFormat } from "../exportRow.ts";
import { formats } from "../format/formats.ts";

/** The written parts of a dataset; all but the last have the full number of rows. */
export type WrittenDataset = { readonly dataset: string; readonly parts: number; readonly rows: number };

/** A file of the archive, and its parts. */
export type PlannedFile = {
  readonly name: string;
  readonly dataset: Dataset;
  readonly firstPart: number;
  readonly parts: number;
  readonly rows: number;
};

/** The files of an archive in their order: one for each dataset, and further ones if its rows are too many for one. */
export function planFiles(
  format: ExportFormat,
  written: readonly WrittenDataset[],
  partRows: number,
): readonly PlannedFile[] {
  const { extension, maxRowsOfFile } = formats[format];
  const partsOfFile = Math.max(1, Math.floor(maxRowsOfFile / partRows));
  return written.flatMap(({ dataset: name, parts, rows }) => {
    const dataset = datasets.find((candidate) => candidate.name === name);
    if (dataset === undefined) throw new Error(`there is no dataset ${name}`);
    return Array.from({ length: Math.max(1, Math.ceil(parts / partsOfFile)) }, (_, index): PlannedFile => {
      const firstPart = index === 0 ? 0 : index * partsOfFile;
      const rowsBefore = firstPart * partRows;
      return {
        name: `${name}${index === 0 ? "" : `-${index + 1}`}.${extension}`,
        dataset,
        firstPart,
        parts: Math.min(partsOfFile, parts - firstPart),
        rows: Math.min(partsOfFile * partRows, rows - rowsBefore),
      };
    });
  });
}
