import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** An address on which a process listens, and the name of its program. */
export type ListeningPort = { readonly program: string; readonly address: string; readonly port: number };

/** Where the processes of a stack listen, by proc_pid_net(5): those with this DATA_DIR as an argument or a setting. */
export function listeningPorts(dataDir: string): ListeningPort[] {
  const sockets = new Map(listeningSockets());
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && belongsTo(name, dataDir))
    .flatMap((processId) =>
      inodesOf(processId).flatMap((inode) => {
        const socket = sockets.get(inode);
        return socket === undefined ? [] : [{ program: programOf(processId), ...socket }];
      }),
    );
}

function belongsTo(processId: string, dataDir: string): boolean {
  const settings = read(processId, "environ");
  return (
    read(processId, "cmdline").some((argument) => argument.includes(dataDir)) ||
    settings.includes(`DATA_DIR=${dataDir}`)
  );
}

function programOf(processId: string): string {
  const [command = "", ...rest] = read(processId, "cmdline");
  return rest.find((argument) => /^(src|workflows)\//.test(argument)) ?? command.slice(command.lastIndexOf("/") + 1);
}

function read(processId: string, file: "cmdline" | "environ"): string[] {
  try {
    return readFileSync(`/proc/${processId}/${file}`, "utf8").split("\0");
  } catch {
    // It has ended.
    return [];
  }
}

function inodesOf(processId: string): string[] {
  try {
    const directory = `/proc/${processId}/fd`;
    return readdirSync(directory).flatMap((name) => {
      try {
        return readlinkSync(`${directory}/${name}`).match(/(?<=^socket:\[)\d+/) ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

function listeningSockets(): [string, { address: string; port: number }][] {
  const lines = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/net/${name}`, "utf8").split("\n"));
  return lines.flatMap((line): [string, { address: string; port: number }][] => {
    const fields = line.trim().split(/\s+/);
    const [address = "", port = ""] = fields[1]?.split(":") ?? [];
    if (fields[3] !== "0A") return [];
    return [[fields[9] ?? "", { address: addressOf(address), port: Number.parseInt(port, 16) }]];
  });
}

/** In the byte order of this machine; of IPv6 the last four bytes, which an IPv4 address has there. */
function addressOf(hex: string): string {
  return Buffer.from(hex.slice(-8), "hex").reverse().join(".");
}
