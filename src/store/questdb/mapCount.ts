import { open, readdir, readFile, readlink } from "node:fs/promises";

/** What listens on a port, in /proc/net/tcp. */
const listening = "0A";

/**
 * The QuestDB that listens on a port of this machine, from proc_pid_net(5) and proc_pid_fd(5). Undefined where it cannot be seen: another
 * system, another user's process, or a port that leads to a container.
 */
export async function findQuestdbProcess(port: number): Promise<number | undefined> {
  const sockets = new Set((await Promise.all(["tcp", "tcp6"].map((kind) => listeners(kind, port)))).flat());
  if (sockets.size === 0) return undefined;
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (command.includes("io.questdb") && (await hasSocket(name, sockets))) return Number(name);
  }
  return undefined;
}

async function listeners(kind: string, port: number): Promise<string[]> {
  const text = await readFile(`/proc/net/${kind}`, "utf8").catch(() => "");
  const end = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(end) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`);
}

async function hasSocket(processId: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const directory = `/proc/${processId}/fd`;
  for (const name of await readdir(directory).catch(() => []))
    if (sockets.has(await readlink(`${directory}/${name}`).catch(() => ""))) return true;
  return false;
}

/** How many regions a process has mapped, a line of /proc/<id>/maps for each; undefined if it has ended or may not be looked at. */
export async function countMaps(processId: number): Promise<number | undefined> {
  const file = await open(`/proc/${processId}/maps`).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(65_536);
    let lines = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return lines === 0 ? undefined : lines;
      const read = buffer.subarray(0, bytesRead);
      for (let at = read.indexOf(10); at >= 0; at = read.indexOf(10, at + 1)) lines += 1;
    }
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** vm.max_map_count of this machine. */
export async function readMapLimit(): Promise<number | undefined> {
  const text = await readFile("/proc/sys/vm/max_map_count", "utf8").catch(() => "");
  return text.trim() === "" ? undefined : Number(text);
}
