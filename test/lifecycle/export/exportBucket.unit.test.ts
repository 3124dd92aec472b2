import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { S3Storage } from "../../../src/lifecycle/export/storage/s3Storage.ts";
import { StorageError } from "../../../src/lifecycle/export/storage/storageError.ts";
import { withoutMachineKeys } from "../../kit/servers/bucketKeys.ts";
import { startBucketServer } from "../../kit/servers/bucketServer.ts";

test("a bucket of exports without a key is one sentence that names the settings", async () => {
  const home = await mkdtemp(join(tmpdir(), "lookout-bucket-"));
  const bucket = await startBucketServer("exports");
  onTestFinished(async () => {
    await bucket.close();
    await rm(home, { recursive: true });
  });
  withoutMachineKeys(home);
  const access = { name: "exports", endpoint: bucket.endpoint, region: "us-east-1", keys: undefined };
  const storage = new S3Storage(access);
  const bytes = async function* () {
    yield Buffer.from("text");
  };
  const refused = new StorageError(
    "There is no key for the bucket of exports. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, then start the export again",
  );
  await expect(storage.has("x/y.csv")).rejects.toThrow(refused);
  await expect(storage.write("x/y.csv", bytes(), new AbortController().signal)).rejects.toThrow(refused);
});
