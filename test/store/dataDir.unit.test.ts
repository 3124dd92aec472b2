import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { explainFileError, StartFailure } from "../../src/errors/startFailure.ts";
import { dataDirMode, prepareDataDir } from "../../src/store/write/dataDir.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lookout-data-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Why DATA_DIR is refused; nothing in it is changed. */
async function refusal(): Promise<string> {
  const before = await readdir(dataDir, { recursive: true });
  let message = "";
  try {
    prepareDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    expect(error.exitCode).toBe(2);
    ({ message } = error);
  }
  expect(await readdir(dataDir, { recursive: true })).toEqual(before);
  return message;
}

test("a new DATA_DIR is made and gets the format, which later starts accept", async () => {
  const fresh = join(dataDir, "a", "b");
  prepareDataDir(fresh);
  prepareDataDir(fresh);
  expect(await readdir(fresh)).toEqual(["format"]);
  expect(await readFile(join(fresh, "format"), "utf8")).toBe("1\n");
});

const modeOf = async (...names: string[]) => (await stat(join(dataDir, ...names))).mode & 0o777;

test("8: a DATA_DIR that other users may read is closed at the next start, with what is in it", async () => {
  await chmod(dataDir, 0o755);
  await mkdir(join(dataDir, "questdb"), { mode: 0o755 });
  await writeFile(join(dataDir, "old.db"), "rows", { mode: 0o644 });
  const elsewhere = `${dataDir}-elsewhere`;
  await mkdir(elsewhere, { mode: 0o755 });
  await symlink(elsewhere, join(dataDir, "exports"));
  prepareDataDir(dataDir);
  expect(await modeOf()).toBe(dataDirMode);
  // Without root, other users cannot enter DATA_DIR itself.
  const isPassed = dataDirMode === 0o711;
  expect([await modeOf("questdb"), await modeOf("old.db")]).toEqual(isPassed ? [0o700, 0o600] : [0o755, 0o644]);
  expect(await modeOf("exports")).toBe(0o755);
  await rm(elsewhere, { recursive: true });
});

test("a DATA_DIR that was opened for a group on purpose stays as it is", async () => {
  await chmod(dataDir, 0o750);
  prepareDataDir(dataDir);
  expect(await modeOf()).toBe(0o750);
});

test("8: a new DATA_DIR is closed to other users", async () => {
  prepareDataDir(join(dataDir, "fresh"));
  expect(await modeOf("fresh")).toBe(dataDirMode);
  expect(await modeOf("fresh", "format")).toBe(0o600);
});

test("rows in files of earlier versions are refused", async () => {
  await mkdir(join(dataDir, "clicks", "a1b2c3"), { recursive: true });
  await writeFile(join(dataDir, "clicks", "a1b2c3", "000000000001.spool"), "rows");
  expect(await refusal()).toMatch(/^DATA_DIR .* has a directory clicks, whose rows this version cannot read\./);
});

test.each(["2\n", "later"])("a format of a newer version (%j) is refused", async (format) => {
  await writeFile(join(dataDir, "format"), format);
  expect(await refusal()).toMatch(/^DATA_DIR \(.*\) was written by a newer version of Lookout: its format is \w+, and/);
});

test("a directory that a restore has not finished is for that restore only", async () => {
  await mkdir(join(dataDir, "restoring"));
  expect(await refusal()).toMatch(/^DATA_DIR \(.*\) is being restored, or its restore was interrupted/);
  prepareDataDir(dataDir, true);
});

test("an empty file, as a full disk leaves it, is no format", async () => {
  await writeFile(join(dataDir, "format"), "");
  prepareDataDir(dataDir);
  expect(await readFile(join(dataDir, "format"), "utf8")).toBe("1\n");
});

test("a DATA_DIR that cannot be written is refused", async (context) => {
  if (process.getuid?.() === 0) return context.skip("root may write everywhere");
  await chmod(dataDir, 0o500);
  expect(await refusal()).toMatch(
    /^Cannot write to \S+ \(EACCES: .*\)\. Set DATA_DIR to a directory you may write to\.$/,
  );
});

test("a file of DATA_DIR that cannot be used is named in a sentence; other errors stay as they are", async () => {
  const failure = await readFile(join(dataDir, "log")).catch((error: unknown) => error);
  expect(explainFileError(failure, dataDir)).toMatchObject({
    message: `A file could not be used: ENOENT: no such file or directory, open '${join(dataDir, "log")}'. Fix that or set DATA_DIR to another directory.`,
    exitCode: 2,
  });
  expect(explainFileError(failure, "/elsewhere")).toBe(failure);
  expect(explainFileError("text", dataDir)).toBe("text");
});
