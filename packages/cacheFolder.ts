import { homedir } from "node:os";
import { join } from "node:path";

/** Where tools are kept that are got once: CACHE_DIR, or the user's cache. */
export function cacheFolder(): string {
  return process.env["CACHE_DIR"] || join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "lookout");
}
