import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Names all that the bundle is made from: our sources, more of them than it holds, and the installed packages. Undefined if npm has not
 * noted what it installed.
 */
export async function bundleKey(options: readonly string[]): Promise<string | undefined> {
  const hash = createHash("sha256").update(JSON.stringify([root, process.version, ...options]));
  try {
    hash.update(await readFile(join(root, "node_modules/.package-lock.json")));
    for (const folder of ["workflows", "src"])
      for (const name of (await readdir(join(root, folder), { recursive: true })).sort())
        if (name.endsWith(".ts")) hash.update(`\n${name}\n`).update(await readFile(join(root, folder, name)));
  } catch {
    return undefined;
  }
  return hash.digest("hex");
}

/** The bundle that was kept for this key. */
export async function keptBundle(file: string, key: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.startsWith(`${key}\n`) ? text.slice(key.length + 1) : undefined;
}

/** Keeps a bundle in place of the one before. Where nothing can be written, the next start makes it again. */
export async function keepBundle(directory: string, file: string, key: string, code: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(draft, `${key}\n${code}`, { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // The worker does not need it.
  }
}
