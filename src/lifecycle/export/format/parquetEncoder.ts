/**
 * The process that encodes a part in Parquet: `node parquetEncoder.ts <statement>`, with the rows on standard input; see
 * parquet.ts.
 */
import { setPriority } from "node:os";
import { DuckDBInstance } from "@duckdb/node-api";

// Answers come before exports, as far as the system can see to it.
setPriority(19);
const instance = await DuckDBInstance.create(":memory:", {
  // QuestDB is no faster than one thread encodes.
  threads: "1",
  // Needed for row groups limited by bytes; one thread keeps the order.
  preserve_insertion_order: "false",
  memory_limit: "200MB",
  // Nothing of an export may be on a disk but in its own files.
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
});
const connection = await instance.connect();
await connection.run(process.argv[2] ?? "");
