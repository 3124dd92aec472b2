import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Env, readConfig } from "../../src/config.ts";
import { StackError } from "../../stack/error.ts";
import { PortChooser } from "../../stack/ports.ts";
import { type PartName, startStack } from "../../stack/stack.ts";

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
  if (!(failure instanceof StackError)) throw failure;
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
        /^Cannot write to \S+ \(EROFS: read-only file system, mkdtemp .*\)\. Set DATA_DIR to a directory you may write to\.$/,
      );
    } finally {
      execFileSync("umount", [directory]);
    }
  });

  test("DATA_DIR is a file", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    expect(await failedStart(["postgres"], { DATA_DIR: file })).toMatch(
      /^Cannot make \S+ \(EEXIST: .*\)\. Set DATA_DIR to a directory you may write to\.$/,
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

  test("a certificate is missing: the log's end is shown without a stack trace", async () => {
    const { databaseUrl, questdbHttp, questdbPg, temporalAddress } = inject("lookout");
    const missing = join(directory, "missing.pem");
    const message = await failedStart(["api"], {
      TLS_KEY: missing,
      TLS_CERT: missing,
      DATABASE_URL: databaseUrl,
      QUESTDB_HTTP: questdbHttp,
      QUESTDB_PG: questdbPg,
      TEMPORAL_ADDRESS: temporalAddress,
    });
    expect(message).toMatch(/ENOENT: no such file or directory, open '\S+missing\.pem'$/);
    expect(message).not.toMatch(/\bat .*\.ts:\d+/);
  });
});
