import { execFile, spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BenchSkipped } from "../../test/kit/bench/bench.ts";
import type { EventFiles } from "./events.ts";

/** The release of ClickHouse. */
const chdb = "chdb==4.4.0";

/** ClickHouse in a Python process. `ms` is its own time, without the transfer. */
export type ClickHouse = {
  query(sql: string): Promise<{ rows: unknown[][]; ms: number }>;
  close(): void;
};

/** Installs chdb into its own environment in `toolFolder` if it is missing, and starts it on an empty `dataFolder`. */
export async function startClickHouse(toolFolder: string, dataFolder: string): Promise<ClickHouse> {
  const python = join(toolFolder, "bin", "python");
  const run = promisify(execFile);
  const isInstalled = await access(join(toolFolder, "installed")).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    try {
      await run("python3", ["-m", "venv", toolFolder]);
      await run(python, ["-m", "pip", "install", "--quiet", chdb]);
    } catch (error) {
      throw new BenchSkipped(`ClickHouse could not be installed with Python 3, venv and pip: ${String(error)}`);
    }
    await run("touch", [join(toolFolder, "installed")]);
  }
  const script = fileURLToPath(new URL("clickhouse.py", import.meta.url));
  const child = spawn(python, [script, dataFolder], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    query: async (sql) => {
      child.stdin.write(`${JSON.stringify(sql)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error("ClickHouse ended");
      const answer: { rows: unknown[][]; ms: number } | { error: string } = JSON.parse(value);
      if ("error" in answer) throw new Error(`${answer.error}\n${sql}`);
      return answer;
    },
    close: () => child.stdin.end(),
  };
}

/**
 * Loads the rows. Null becomes an empty text or 0, which ClickHouse reads faster and which no key or value is; texts of few values are
 * LowCardinality, as its documentation advises.
 */
export async function loadClickHouse(clickhouse: ClickHouse, files: EventFiles): Promise<void> {
  for (const [table, kinds, paths] of [
    ["events", eventKinds, files.events],
    ["outgoing_links", linkKinds, files.links],
  ] as const) {
    const columns = Object.entries(kinds).map(([name, kind]) => `${name} ${kind}`);
    await clickhouse.query(
      `CREATE TABLE ${table} (${columns.join(", ")}) ENGINE = MergeTree ORDER BY (website_id, toDate(ts), visitor_key)`,
    );
    const values = Object.entries(kinds).map(([name, kind]) =>
      kind === "Int64" || kind === "Float64"
        ? `ifNull(${name}, 0)`
        : kind.startsWith("DateTime")
          ? name
          : `ifNull(${name}, '')`,
    );
    for (const path of paths) await clickhouse.query(`INSERT INTO ${table} SELECT ${values} FROM file('${path}')`);
    await clickhouse.query(`OPTIMIZE TABLE ${table} FINAL`);
  }
}

const few = "LowCardinality(String)";
const eventKinds = {
  ts: "DateTime64(6, 'UTC')",
  website_id: few,
  event_key: "Int64",
  event_type: few,
  name: few,
  visitor_key: "Int64",
  session_key: "Int64",
  event_id: "String",
  anonymous_id: "String",
  session_id: "String",
  path: few,
  title: "String",
  referrer: "String",
  referrer_source: few,
  referrer_group: few,
  screen: few,
  viewport: few,
  language: few,
  timezone: few,
  country: few,
  region: few,
  browser: few,
  os: few,
  device: few,
  utm_source: few,
  time_on_page_ms: "Float64",
  properties: "String",
} as const;
const linkKinds = {
  ts: "DateTime64(6, 'UTC')",
  website_id: few,
  event_key: "Int64",
  visitor_key: "Int64",
  session_key: "Int64",
  anonymous_id: "String",
  session_id: "String",
  path: few,
  href: "String",
  text: few,
} as const;
