import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";

const rebuilt = ["logs", "questdb/public", "questdb/tmp", "questdb/import"].map((path) => `--exclude=./${path}`);

/**
 * A DATA_DIR in a file: tar, compressed with Zstandard by Node, since not every system has a program for it. What the servers make again is left out. Owners are
 * kept as numbers where it is unpacked by root, because PostgreSQL then runs as another user.
 */
export async function pack(dataDir: string, file: string): Promise<void> {
  const tar = spawn("tar", ["--create", "--sparse", "--numeric-owner", ...rebuilt, "--directory", dataDir, "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(tar, "close");
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 19 } });
  await pipeline(tar.stdout, compress, createWriteStream(file));
  await expectSuccess(ended);
}

/** Unpacks a file that `pack` made into an existing directory. */
export async function unpack(file: string, dataDir: string): Promise<void> {
  const tar = spawn("tar", ["--extract", "--sparse", "--numeric-owner", "--directory", dataDir], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(tar, "close");
  await pipeline(createReadStream(file), createZstdDecompress(), tar.stdin);
  await expectSuccess(ended);
}

async function expectSuccess(ended: Promise<unknown[]>): Promise<void> {
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}
