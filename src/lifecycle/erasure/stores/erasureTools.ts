import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../../config.ts";
import type {
  NodeStores,
  RecordStores,
  ReplicaStores,
  StoresOfWebsites,
} from "../../../store/write/storesOfWebsites.ts";

/** What the steps of an erasure need: the stores, and the settings and log of the worker. */
export type ErasureTools = {
  /** All QuestDBs with the rows of a website. */
  readonly stores: StoresOfWebsites<ReplicaStores>;
  /** The one in which its sessions and daily records are computed. */
  readonly records: RecordStores;
  readonly postgres: Pool;
  readonly temporal: { readonly client: Client };
  readonly log: Logger;
  readonly config: Config;
};

/** One QuestDB, and the database in which it is recorded what is erased. */
export type NodeTools = Pick<NodeStores, "questdb"> & Pick<ErasureTools, "postgres">;
