import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../../config.ts";
import type { QuestdbReader } from "../../../store/questdb/questdbReader.ts";
import type { RowWriter } from "../../../store/write/rowWriter.ts";

/** What the steps of an erasure need: the stores, and the settings and log of the worker. */
export type ErasureTools = {
  readonly questdb: QuestdbReader;
  readonly postgres: Pool;
  readonly rows: Pick<RowWriter, "write">;
  readonly temporal: { readonly client: Client };
  readonly log: Pick<Logger, "warn" | "info">;
  readonly config: Config;
};
