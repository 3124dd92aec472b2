import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { createServer } from "node:net";

/** Held until `release` or the end of this process, however it ends. */
export type DirectoryLock = { release(): Promise<void> };

/**
 * Locks an existing directory among the processes of this machine (of one network namespace); undefined while another
 * holds it.
 *
 * The lock is a name in the kernel's abstract socket namespace (unix(7)), which the kernel frees together with the
 * process. With a lock file it would be hard to distinguish a dead owner from a living one.
 */
export async function lockDirectory(path: string): Promise<DirectoryLock | undefined> {
  const name = createHash("sha256")
    .update(`log\0${realpathSync(path)}`)
    .digest("hex");
  const server = createServer((socket) => socket.destroy());
  const isFree = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen({ path: `\0lookout-${name}` }, () => resolve(true));
  });
  if (!isFree) return undefined;
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}
