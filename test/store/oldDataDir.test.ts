import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApiProcess } from "../kit/stack/apiProcess.ts";

test("a DATA_DIR with rows in files of earlier versions is refused at the start and left as it is", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-old-"));
  await mkdir(join(dataDir, "clicks", "a1b2c3"), { recursive: true });
  await writeFile(join(dataDir, "clicks", "a1b2c3", "000000000001.spool"), "rows");
  const before = await readdir(dataDir, { recursive: true });
  await expect(startApiProcess({ DATA_DIR: dataDir })).rejects.toThrow(
    /ended with 2:\nDATA_DIR .* has a directory clicks, whose rows this version cannot read/,
  );
  expect(await readdir(dataDir, { recursive: true })).toEqual(before);
  await rm(dataDir, { recursive: true });
});
