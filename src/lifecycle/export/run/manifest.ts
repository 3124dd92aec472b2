import type { JsonObject } from "@bufbuild/protobuf";
import type { Dataset } from "../dataset.ts";
import type { ExportRow } from "../exportRow.ts";
import { formats } from "../format/formats.ts";
import { datasetRange } from "./datasetRange.ts";

/** A file in the archive. */
export type ArchivedFile = {
  readonly name: string;
  readonly dataset: Dataset;
  readonly rows: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

export type ExportedWebsite = { readonly id: string; readonly name: string; readonly domain: string };

/**
 * manifest.json of an archive: what is exported, and for each file its rows, its checksum and the types of its columns.
 */
export function manifest(row: ExportRow, website: ExportedWebsite, files: readonly ArchivedFile[]): JsonObject {
  const format = formats[row.format];
  return {
    export_id: row.id,
    created_at: new Date(row.createdMs).toISOString(),
    website: { ...website },
    format: row.format,
    data_types: [...row.dataTypes],
    range: {
      start_date: row.startDate,
      end_date: row.endDate,
      time_zone: row.timeZone,
      from: new Date(row.fromMs).toISOString(),
      to: new Date(row.toMs).toISOString(),
    },
    note: format.note,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    files: files.map(({ name, dataset, rows, bytes, sha256 }) => {
      const { fromUs, toUs } = datasetRange(dataset, row);
      return {
        name,
        data_type: dataset.dataType,
        rows,
        bytes,
        sha256,
        from: new Date(fromUs / 1_000).toISOString(),
        to: new Date(toUs / 1_000).toISOString(),
        columns: dataset.columns.map((column) => ({ name: column.name, type: format.typeName(column) })),
      };
    }),
  };
}
