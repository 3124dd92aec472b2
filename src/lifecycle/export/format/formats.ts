import type { ExportFormat } from "../request/exportRow.ts";
import { csv } from "./csv.ts";
import type { FileFormat } from "./fileFormat.ts";
import { ndjson } from "./ndjson.ts";
import { parquet } from "./parquet.ts";

/** How files are written, by the format that a caller asks for (specification 4.18). */
export const formats: Readonly<Record<ExportFormat, FileFormat>> = { csv, json: ndjson, parquet };
