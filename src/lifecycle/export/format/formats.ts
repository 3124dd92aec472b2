import type { ExportFormat } from "../exportRow.ts";
import { csv } from "./csv.ts";
import type { FileFormat } from "./fileFormat.ts";
import { ndjson } from "./ndjson.ts";
import { parquet } from "./parquet.ts";

/** The file formats by their name in requests (specification 4.18). */
export const formats: Readonly<Record<ExportFormat, FileFormat>> = { csv, json: ndjson, parquet };
