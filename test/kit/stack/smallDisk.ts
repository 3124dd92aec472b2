import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own, small enough to be filled. */
export type SmallDisk = {
  readonly directory: string;
  /** Fills the disk up to this many free bytes. */
  fill(leftBytes: number): void;
  free(): void;
  remove(): void;
};

/** An ext4 of this size in a file; undefined where this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const home = mkdtempSync(join(tmpdir(), "lookout-disk-"));
  // PostgreSQL may run as another user, who has to pass.
  chmodSync(home, 0o711);
  const image = join(home, "image");
  const directory = join(home, "disk");
  const filler = join(directory, "filler");
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: "pipe" });
  try {
    run("truncate", "--size", String(bytes), image);
    run("mkfs.ext4", "-q", "-F", "-m", "0", image);
    run("mkdir", directory);
    run("mount", "-o", "loop", image, directory);
  } catch {
    rmSync(home, { recursive: true, force: true });
    return undefined;
  }
  chmodSync(directory, 0o711);
  return {
    directory,
    fill: (leftBytes) => {
      let offset = 0;
      const spare = () => freeBytes(directory) - leftBytes;
      for (let size = spare(); size >= 4_096; size = Math.min(size, spare()) >> 1)
        try {
          run("fallocate", "--offset", String(offset), "--length", String(size), filler);
          offset += size;
        } catch {
          // Others used some of it meanwhile: half of it may still be free.
        }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      // A process of the stack that outlived it may have files open here.
      run("umount", "--lazy", directory);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
