import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { connect, createServer } from "node:net";

/** A lock that this process holds until `release` or its end, whatever ends it. */
export type Lock = {
  release(): Promise<void>;
};

/**
 * Locks an existing path among the processes of this machine. Resolves with the lock, or with the process id of its holder, which
 * is undefined if the holder does not report it.
 *
 * The lock is a name in the kernel's abstract socket namespace (unix(7)). The kernel frees it together with the process, so there
 * is never a stale lock to take over, as with a lock file with a process id.
 */
export async function acquireLock(path: string): Promise<{ lock: Lock } | { heldBy: number | undefined }> {
  const address = `\0lookout-${createHash("sha256").update(realpathSync(path)).digest("hex")}`;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(String(process.pid));
  });
  const taken = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(true);
      else reject(error);
    });
    server.listen({ path: address }, () => resolve(false));
  });
  if (taken) return { heldBy: await askHolder(address) };
  server.unref();
  return { lock: { release: () => new Promise((resolve) => server.close(() => resolve())) } };
}

function askHolder(address: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ path: address, timeout: 1_000 });
    socket.on("data", (chunk) => {
      answer += chunk.toString();
    });
    socket.on("timeout", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(Number(answer) || undefined));
  });
}
