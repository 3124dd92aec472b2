import { parquetMetadata } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Column, ColumnKind } from "../dataset.ts";
import { encodeParquet } from "./encodeParquet.ts";
import type { FileFormat } from "./fileFormat.ts";

type RowGroup = ParquetWriter["row_groups"][number];
type SchemaElement = ParquetWriter["schema"][number];

/** Parquet files begin and end with these bytes (parquet-format, "File format"). */
const magic = Buffer.from("PAR1");

/**
 * Parquet with Snappy. DuckDB encodes each part as a file of its own, without knowing more than numbers and texts. A part holds only the
 * row groups of that file, and its end is that file's footer; the footer of the whole file, which has the positions of all
 * row groups and the types of the columns, is made of these.
 */
export const parquet: FileFormat = {
  extension: "parquet",
  isDeflated: false,
  // The footer is made in memory, about 10 kB for each row group.
  maxRowsOfFile: 10_000_000,
  note: "Rows are in order of time.",
  typeName: ({ kind }) => typeNames[kind],
  hasEnds: true,
  encode: encodeParquet,
  head: () => magic,
  tail: footer,
};

const typeNames: Readonly<Record<ColumnKind, string>> = {
  text: "STRING",
  timestamp: "TIMESTAMP(MILLIS, UTC)",
  date: "DATE",
  integer: "INT64",
  number: "DOUBLE",
  json: "JSON",
};

const repetition_type = "OPTIONAL";

const elements: Readonly<Record<ColumnKind, (name: string) => SchemaElement>> = {
  text: (name) => ({
    name,
    repetition_type,
    type: "BYTE_ARRAY",
    converted_type: "UTF8",
    logical_type: { type: "STRING" },
  }),
  timestamp: (name) => ({
    name,
    repetition_type,
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  }),
  date: (name) => ({ name, repetition_type, type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } }),
  integer: (name) => ({ name, repetition_type, type: "INT64" }),
  number: (name) => ({ name, repetition_type, type: "DOUBLE" }),
  json: (name) => ({
    name,
    repetition_type,
    type: "BYTE_ARRAY",
    converted_type: "JSON",
    logical_type: { type: "JSON" },
  }),
};

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: "root", num_children: columns.length }, ...columns.map(({ name, kind }) => elements[kind](name))];
}

function footer(columns: readonly Column[], ends: readonly Uint8Array[]): Uint8Array {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: "Lookout" });
  let bytesBefore = 0n;
  // A part without rows has no footer.
  for (const end of ends.filter(({ length }) => length > 0)) {
    let size = 0n;
    for (const group of parquetMetadata(new Uint8Array(end).buffer).row_groups) {
      move(group, bytesBefore);
      writer.row_groups.push(group);
      writer.num_rows += group.num_rows;
      size += group.total_compressed_size ?? 0n;
    }
    bytesBefore += size;
  }
  bytes.index = 0;
  bytes.offset = magic.length + Number(bytesBefore);
  void writer.finish();
  return bytes.getBytes();
}

/** Moves the offsets of a part's row group by the bytes before that part. */
function move(group: RowGroup, by: bigint): void {
  if (group.file_offset !== undefined) group.file_offset += by;
  for (const { meta_data } of group.columns) {
    if (meta_data === undefined) continue;
    meta_data.data_page_offset += by;
    if (meta_data.dictionary_page_offset !== undefined) meta_data.dictionary_page_offset += by;
  }
}
