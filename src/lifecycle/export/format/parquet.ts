import { deserialize, serialize } from "node:v8";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { TextRow } from "../../../store/questdb/questdbReader.ts";
import { dayMs } from "../../../time/utcDay.ts";
import type { Column, ColumnKind } from "../run/datasets.ts";
import type { FileFormat, PartEncoder } from "./fileFormat.ts";

type RowGroup = ParquetWriter["row_groups"][number];
type SchemaElement = ParquetWriter["schema"][number];

/** Parquet files begin and end with these bytes (parquet-format, "File format"). */
const magic = Buffer.from("PAR1");

/**
 * Parquet with Snappy, one row group per call of `take`. Parts hold only row groups; the footer, which has their
 * positions, is built from the ends of the parts.
 */
export const parquet: FileFormat = {
  extension: "parquet",
  isDeflated: false,
  // The footer is made in memory, about 10 kB for each row group.
  maxRowsOfFile: 10_000_000,
  note: "Rows are in order of time.",
  typeName: ({ kind }) => typeNames[kind],
  hasEnds: true,
  partEncoder: (columns) => new ParquetEncoder(columns),
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

const readers: Readonly<Record<ColumnKind, (text: string) => unknown>> = {
  text: (text) => text,
  timestamp: BigInt,
  date: (text) => Number(text) / dayMs,
  integer: BigInt,
  number: Number,
  json: (text) => text,
};

class ParquetEncoder implements PartEncoder {
  readonly #columns: readonly Column[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #values: unknown[][];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    // The library would encode JSON text as JSON once more; only the footer declares it as JSON.
    const plain = columns.map((column): Column => (column.kind === "json" ? { ...column, kind: "text" } : column));
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema: schemaOf(plain) });
    this.#empty();
  }

  add(row: TextRow): void {
    for (const [index, { kind }] of this.#columns.entries()) {
      const text = row[index] ?? null;
      this.#values[index]?.push(text === null ? null : readers[kind](text));
    }
  }

  take(): Uint8Array {
    const values = this.#values;
    this.#values = this.#columns.map(() => []);
    if (values[0]?.length === 0) return new Uint8Array();
    const columnData = this.#columns.map(({ name, kind }, index): ColumnSource => {
      const data = values[index] ?? [];
      return { name, data, offsetIndex: false, statistics: kind !== "json" };
    });
    // Writing to memory needs no waiting.
    void this.#writer.write({ columnData, rowGroupSize: Number.MAX_SAFE_INTEGER });
    const taken = this.#bytes.getBytes().slice();
    this.#empty();
    return taken;
  }

  end(): Uint8Array {
    return serialize(this.#writer.row_groups);
  }

  /** Offsets continue. */
  #empty(): void {
    this.#bytes.index = 0;
  }
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: "root", num_children: columns.length }, ...columns.map(({ name, kind }) => elements[kind](name))];
}

function footer(columns: readonly Column[], ends: readonly Uint8Array[]): Uint8Array {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: "Lookout" });
  let startsAt = 0n;
  for (const end of ends) {
    let size = 0n;
    // Written by the encoder above.
    for (const group of deserialize(end) as RowGroup[]) {
      writer.row_groups.push(moved(group, startsAt));
      writer.num_rows += group.num_rows;
      size += group.total_compressed_size ?? 0n;
    }
    startsAt += size;
  }
  bytes.index = 0;
  bytes.offset = magic.length + Number(startsAt);
  void writer.finish();
  return bytes.getBytes();
}

/** The row group of a part, with its offsets moved by the bytes before that part. */
function moved(group: RowGroup, by: bigint): RowGroup {
  return {
    ...group,
    columns: group.columns.map((chunk) => ({
      ...chunk,
      file_offset: chunk.file_offset + by,
      ...(chunk.meta_data === undefined
        ? {}
        : {
            meta_data: {
              ...chunk.meta_data,
              data_page_offset: chunk.meta_data.data_page_offset + by,
              ...(chunk.meta_data.dictionary_page_offset === undefined
                ? {}
                : { dictionary_page_offset: chunk.meta_data.dictionary_page_offset + by }),
            },
          }),
    })),
  };
}
