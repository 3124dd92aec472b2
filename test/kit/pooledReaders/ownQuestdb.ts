import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { type Env, readConfig } from "../../../src/config.ts";
import { execRequest } from "../../../src/store/questdb/execRequest.ts";
import { formerLogs } from "../../../stack/formerLogs.ts";
import { PortChooser } from "../../../stack/ports.ts";
import { findJava } from "../../../stack/provision/java.ts";
import { planQuestdb } from "../../../stack/provision/questdb.ts";
import { questdbServer } from "../../../stack/servers/questdb.ts";
import { supervise } from "../../../stack/supervisor.ts";

export type OwnQuestdb = {
  /** Address for the PostgreSQL protocol. */
  readonly pg: string;
  /** Runs a statement over HTTP, and gives its rows. Rejects with QuestDB's message. */
  exec(statement: string): Promise<readonly (readonly unknown[])[]>;
  /** What was said of it: that it ended, and started again. */
  readonly said: readonly string[];
  /** Its log, that of the run before its last start as well. */
  readLog(): Promise<string>;
  stop(): Promise<void>;
};

export type OwnQuestdbOptions = {
  /** Without our patches. */
  readonly isUnpatched?: boolean;
  /** Settings of the service. */
  readonly service?: Env;
};

/** A QuestDB as `npm start` starts it, apart from these settings: of QuestDB, and of its process. */
export async function startOwnQuestdb(
  directory: string,
  settings: Env,
  { isUnpatched = false, service = {} }: OwnQuestdbOptions = {},
): Promise<OwnQuestdb> {
  const { cacheDir } = inject("lookout");
  const config = readConfig({ ...process.env, ...service, DATA_DIR: directory, CACHE_DIR: cacheDir });
  const { signal } = new AbortController();
  const { java, jar, patch } = await planQuestdb(
    { config, log: console.log, signal },
    await findJava(config, signal),
  )();
  const program = isUnpatched || patch === undefined ? { java, jar } : { java, jar, patch };
  const chooser = new PortChooser(false);
  const ports = { http: await chooser.choose(), pg: await chooser.choose(), min: await chooser.choose() };
  const { spec, addresses } = await questdbServer(config, program, ports);
  const said: string[] = [];
  const server = await supervise({ ...spec, env: { ...spec.env, ...settings } }, (line) => said.push(line), signal);
  return {
    pg: addresses.pg,
    exec: async (statement) => {
      const { url, headers } = execRequest(addresses.http, statement);
      const response = await fetch(url, { headers });
      const body = (await response.json()) as { readonly error?: string; readonly dataset?: unknown[][] };
      if (!response.ok) throw new Error(body.error);
      return body.dataset ?? [];
    },
    said,
    readLog: async () => {
      const logs = [...(await formerLogs(spec.logFile)), spec.logFile];
      return (await Promise.all(logs.map((log) => readFile(log, "utf8")))).join("");
    },
    stop: () => server.stop(),
  };
}

/** Waits until all that was written to the tables can be read. */
export async function whenAllApplied({ exec }: OwnQuestdb): Promise<void> {
  const waiting = "SELECT count() FROM wal_tables() WHERE writerTxn < sequencerTxn";
  while ((await exec(waiting))[0]?.[0] !== 0) await sleep(150);
}
