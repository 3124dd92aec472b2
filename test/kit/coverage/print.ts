import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import libCoverage from "istanbul-lib-coverage";

/** A folder's lines with code, and how many of them ran in the tests' own processes, in the servers, in either. */
type Row = { folder: string; lines: number; inTests: number; inServers: number; inEither: number };

/**
 * Prints the coverage by folder; `node test/kit/coverage/print.ts FOLDER` does so for a COVERAGE_DIR (`vitest.config.ts`). Vitest's report of `folder` knows which lines have code, and what ran in the tests' own processes. c8 adds what ran in the processes
 * that the tests started: Node removes types there without moving a line.
 * Workflows run as one bundle of another name inside of Temporal's worker, so what runs only there counts as not reached.
 */
export async function printCoverage(folder: string, root: string): Promise<void> {
  const c8 = join(root, "node_modules/c8/bin/c8.js");
  const servers = join(folder, "servers");
  const report = [
    "report",
    "--temp-directory",
    join(folder, "processes"),
    "--reporter",
    "json",
    "--reports-dir",
    servers,
  ];
  spawnSync(process.execPath, [c8, ...report, "--exclude", "node_modules/**"], { cwd: root, stdio: "inherit" });
  const inTests = await readReport(join(folder, "tests"));
  const inServers = await readReport(servers);
  const rows = new Map<string, Row>();
  const unreached: string[] = [];
  for (const path of inTests.files()) {
    const lines = Object.entries(inTests.fileCoverageFor(path).getLineCoverage());
    if (lines.length === 0) continue;
    const ofServers = inServers.files().includes(path) ? inServers.fileCoverageFor(path).getLineCoverage() : {};
    const name = relative(root, path);
    const row = rowOf(rows, dirname(name).split("/").slice(0, 2).join("/"));
    let reached = 0;
    for (const [line, hits] of lines) {
      const ranInServers = (ofServers[Number(line)] ?? 0) > 0;
      row.lines += 1;
      if (hits > 0) row.inTests += 1;
      if (ranInServers) row.inServers += 1;
      if (hits > 0 || ranInServers) reached += 1;
    }
    row.inEither += reached;
    if (reached === 0) unreached.push(name);
  }
  print(
    [...rows.values()].sort((a, b) => a.folder.localeCompare(b.folder)),
    unreached.sort(),
  );
}

async function readReport(folder: string) {
  return libCoverage.createCoverageMap(JSON.parse(await readFile(join(folder, "coverage-final.json"), "utf8")));
}

function rowOf(rows: Map<string, Row>, folder: string): Row {
  const row = rows.get(folder) ?? { folder, lines: 0, inTests: 0, inServers: 0, inEither: 0 };
  rows.set(folder, row);
  return row;
}

function print(rows: readonly Row[], unreached: readonly string[]): void {
  const sum = (read: (row: Row) => number) => rows.reduce((total, row) => total + read(row), 0);
  const all: Row = {
    folder: "all",
    lines: sum((row) => row.lines),
    inTests: sum((row) => row.inTests),
    inServers: sum((row) => row.inServers),
    inEither: sum((row) => row.inEither),
  };
  console.log(
    "== coverage: lines with code, and the percentage that ran in tests' own processes, in servers, in either",
  );
  for (const { folder, lines, ...ran } of [...rows, all]) {
    const percents = [ran.inTests, ran.inServers, ran.inEither].map((count) => percent(count, lines).padStart(7));
    console.log(`${folder.padEnd(28)} ${String(lines).padStart(7)} ${percents.join(" ")}`);
  }
  console.log(`== files of which nothing ran: ${unreached.length}`);
  for (const name of unreached) console.log(name);
}

/** Cut off, so that 100.0 is all of them. */
function percent(count: number, of: number): string {
  return `${(Math.floor((count * 1_000) / of) / 10).toFixed(1)} %`;
}

const [, , folderOfCommand] = process.argv;
if (import.meta.main && folderOfCommand) await printCoverage(folderOfCommand, join(import.meta.dirname, "../../.."));
