import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Env, readConfig } from "../../src/config.ts";
import { StartFailure } from "../../src/errors/startFailure.ts";
import { PortChooser } from "../../stack/ports.ts";
import { type PartName, startStack } from "../../stack/stack.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-start-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The message of a start that fails for a reason that the user can fix. */
async function failedStart(parts: readonly PartName[], env: Env = {}): Promise<string> {
  const { cacheDir } = inject("lookout");
  const config = readConfig({ ...process.env, DATA_DIR: directory, CACHE_DIR: cacheDir, PORT: "0", ...env });
  const started = startStack({ config, log: () => undefined, parts, preferUsualPorts: false });
  const failure: unknown = await started.then(
    async (stack) => {
      await stack.stop();
      return new Error("it started");
    },
    (error: unknown) => error,
  );
  if (!(failure instanceof StartFailure)) throw failure;
  expect(failure.exitCode).toBe(2);
  return failure.message;
}

describe("the reason of a failed start is reported in a sentence, with advice", () => {
  test("DATA_DIR is read-only", async (context) => {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "ro,size=2g", "tmpfs", directory], { stdio: "pipe" });
    } catch {
      context.skip("this user may not mount a file system");
    }
    try {
      expect(await failedStart(["postgres"])).toMatch(
        /^Cannot write to \S+ \(EROFS: read-only file system, access .*\)\. Set DATA_DIR to a directory you may write to\.$/,
      );
    } finally {
      execFileSync("umount", [directory]);
    }
  });

  test("DATA_DIR is a file", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    expect(await failedStart(["postgres"], { DATA_DIR: file })).toMatch(
      /^Cannot make \S+ \(ENOTDIR: .*\)\. Set DATA_DIR to a directory you may write to\.$/,
    );
  });

  test("a directory of DATA_DIR cannot be made", async () => {
    await writeFile(join(directory, "postgres"), "");
    expect(await failedStart(["postgres"])).toMatch(
      /^A file could not be used: EEXIST: .*postgres'\. Fix that or set DATA_DIR to another directory\.$/,
    );
  });

  test("the password of the database is gone", async () => {
    const home = join(directory, "postgres");
    await mkdir(join(home, "data"), { recursive: true });
    expect(await failedStart(["postgres"])).toBe(
      `${home}/password is missing, unreadable or empty, and without it the database cannot be opened. ` +
        `Restore it from a backup, or move ${home} away to begin with new accounts, websites and links.`,
    );
  });

  test("HOST is no address of this machine", async () => {
    const port = await new PortChooser(false).choose();
    expect(await failedStart(["api"], { HOST: "203.0.113.1", PORT: String(port) })).toBe(
      "Cannot listen on 203.0.113.1 (EADDRNOTAVAIL). Set HOST to an address of this machine.",
    );
  });

  test("a certificate is missing", async () => {
    const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
    const missing = join(directory, "missing.pem");
    const started = failedStart(["api"], {
      TLS_KEY: missing,
      TLS_CERT: missing,
      DATABASE_URL: databaseUrl,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: temporalAddress,
    });
    expect(await started).toBe(
      `The API does not start. TLS_KEY (${missing}) cannot be read: ENOENT: no such file or directory, open '${missing}'. Set it to the path of a PEM file.`,
    );
  });
});

/** What a process prints that cannot start, and its exit code. */
async function run(script: string, env: Env, ...args: string[]): Promise<{ code: number; output: string }> {
  const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
  const stores = {
    DATABASE_URL: databaseUrl,
    QUESTDB_HTTP: questdbHttp,
    QUESTDB_PG: questdbPg,
    TEMPORAL_ADDRESS: temporalAddress,
  };
  const own = { DATA_DIR: directory, PORT: "0", BASE_URL: "", LOG_LEVEL: "error", ...stores, ...env };
  return await new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, ...own } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: (stdout + stderr).trim() }),
    );
  });
}

describe("each process says in one sentence why it does not start, and ends with 2", () => {
  test("settings that are wrong", async () => {
    expect(await run("workflows/probe.ts", { LOG_LEVEL: "loud" }, "--region", "eu-1")).toEqual({
      code: 2,
      output: expect.stringMatching(
        /^LOG_LEVEL must be one of .*, not "loud"\nAll settings: docs\/operate\/settings\.md$/,
      ),
    });
  });

  test("the port is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen({ host: "127.0.0.1", port: 0 }, resolve));
    const { port } = taken.address() as AddressInfo;
    expect(await run("src/main/api.ts", { PORT: String(port) })).toEqual({
      code: 2,
      output: `Port ${port} is taken. Stop what listens there, or set PORT to another number.`,
    });
    taken.close();
  });

  test("the database is that of another version, and is not changed", async () => {
    const name = `newer_${randomUUID().replaceAll("-", "")}`;
    const url = new URL(inject("lookout").databaseUrl);
    url.pathname = `/${name}`;
    await inDatabase((all) => all.query(`CREATE DATABASE ${name}`));
    try {
      await inDatabase(async (database) => {
        await database.query(
          "CREATE TABLE migrations (id serial PRIMARY KEY, name text NOT NULL, run_on timestamp NOT NULL)",
        );
        await database.query("INSERT INTO migrations (name, run_on) VALUES ('9999_later', now())");
      }, url.href);
      const scripts = ["src/main/api.ts", "workflows/worker.ts", "stack/recover.ts"];
      const answers = await Promise.all(scripts.map((script) => run(script, { DATABASE_URL: url.href })));
      const output = expect.stringMatching(
        /^The PostgreSQL database belongs to another version of Lookout.* migration 9999_later\. Nothing was changed\. .*$/,
      );
      expect(answers).toEqual(scripts.map(() => ({ code: 2, output })));
      const tables = inDatabase(async (database) => {
        const { rows } = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
        return rows;
      }, url.href);
      expect(await tables).toEqual([{ tablename: "migrations" }]);
    } finally {
      await inDatabase((all) => all.query(`DROP DATABASE ${name}`));
    }
  });
});
