import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { createServer } from "node:net";

/** Held until `release` or the end of this process, whatever ends it. */
export type DirectoryLock = { release(): Promise<void> };

/**
 * Locks an existing directory among the processes of this machine (of one network namespace); undefined while another holds it.
 *
 * The lock is a name in the kernel's abstract socket namespace (unix(7)), which the kernel frees together with the process: a lock
 * file of a killed process would have to be told from a living one's.
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
