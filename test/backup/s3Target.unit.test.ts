import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BackupError } from "../../src/backup/backupError.ts";
import { type BackupTarget, readText } from "../../src/backup/target/backupTarget.ts";
import { openSource } from "../../src/backup/target/openTarget.ts";
import { type Config, type Env, readConfig, withBackupPlace } from "../../src/config.ts";
import { withoutMachineKeys } from "../kit/servers/bucketKeys.ts";
import { type BucketServer, startBucketServer } from "../kit/servers/bucketServer.ts";

let directory: string;
let bucket: BucketServer;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-bucket-"));
  bucket = await startBucketServer("backups");
});
afterEach(async () => {
  await bucket.close();
  await rm(directory, { recursive: true, force: true });
});

/** As a command has them that is given the place. */
function settingsFor(place: string, keys: Env = {}): Config {
  return readConfig(withBackupPlace({ S3_ENDPOINT: bucket.endpoint, ...keys }, place));
}

function open(place: string): Promise<BackupTarget> {
  const keys = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  return openSource(place, settingsFor(place, keys));
}

async function put(target: BackupTarget, name: string, text: string): Promise<string> {
  await mkdir(target.staging, { recursive: true });
  const staged = join(target.staging, "new");
  await writeFile(staged, text);
  await target.put(name, staged);
  return staged;
}

test("a bucket keeps, lists over several pages, reads and removes files of a folder", async () => {
  const target = await open("s3://backups/lookout/");
  expect(target.place).toBe("s3://backups/lookout");
  const names = Array.from({ length: 7 }, (_, index) => `objects/${index}`);
  for (const name of names) expect(existsSync(await put(target, name, `of ${name}`)), "the staged file").toBe(false);
  await target.putText("receipts.json", "{}");
  bucket.files.set("another/objects/1", Buffer.from("not ours"));
  expect((await target.list("objects")).map(({ name }) => name)).toEqual(names);
  expect(await target.list("")).toEqual([{ name: "receipts.json", bytes: 2 }]);
  expect(await target.list("backups")).toEqual([]);
  expect(await readText(target, "objects/3")).toBe("of objects/3");
  await target.remove(names.slice(1));
  expect([...bucket.files.keys()].sort()).toEqual(["another/objects/1", "lookout/objects/0", "lookout/receipts.json"]);
  await rm(target.staging, { recursive: true, force: true });
});

test("a bucket that does not exist, and one that refuses the key, is one sentence", async () => {
  const sentence = "Check the name, the settings S3_* and the rights of their key.";
  await expect((await open("s3://other")).list("objects")).rejects.toThrow(
    `s3://other refuses: NoSuchBucket. ${sentence}`,
  );
  bucket.refuseWith = 403;
  const target = await open("s3://backups");
  await expect(target.list("objects")).rejects.toThrow(`s3://backups refuses: AccessDenied. ${sentence}`);
  await expect(put(target, "x", "text")).rejects.toThrow(sentence);
  await bucket.close();
  await expect(target.list("objects")).rejects.toThrow("s3://backups cannot be reached (ECONNREFUSED).");
  await rm(target.staging, { recursive: true, force: true });
});

test("a bucket without a key is one sentence that names the settings", async () => {
  withoutMachineKeys(directory);
  const target = await openSource("s3://backups", settingsFor("s3://backups"));
  const sentence = "There is no key for s3://backups. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
  await expect(target.list("backups")).rejects.toThrow(new BackupError(sentence));
  await expect(put(target, "x", "text")).rejects.toThrow(new BackupError(sentence));
  await rm(target.staging, { recursive: true, force: true });
});
