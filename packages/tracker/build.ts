import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { packNpm } from "../packNpm.ts";

const source = join(import.meta.dirname, "../../web/tracker");

/** Packs @lookout/tracker as npm run build:tracker has built it. Resolves with the tarball's name. */
export async function buildTracker(dist: string, version: string): Promise<string> {
  const folder = join(dist, "tracker");
  await rm(folder, { recursive: true, force: true });
  await cp(join(source, "dist"), join(folder, "dist"), { recursive: true });
  return await packNpm(source, folder, dist, version);
}
