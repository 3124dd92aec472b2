import { readStored, writeStored } from "../../preferences/stored.ts";

/** As many are remembered. */
const mostRecent = 5;

/** The ids of the commands that this browser chose last, newest first. */
export function recentCommands(): readonly string[] {
  return (readStored("commands") ?? "").split("\n").filter((id) => id !== "");
}

export function rememberCommand(id: string): void {
  writeStored("commands", withRecent(recentCommands(), id).join("\n"));
}

/** The ids with a newly chosen one in front. */
export function withRecent(ids: readonly string[], chosen: string): string[] {
  return [chosen, ...ids.filter((id) => id !== chosen)].slice(0, mostRecent);
}
