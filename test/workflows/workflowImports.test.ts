import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const folder = resolve("workflows");

/** Packages that are made to run inside a workflow. */
const allowedPackages = new Set(["@temporalio/workflow", "@temporalio/common"]);

/** Modules that a file loads when it runs; `import type` is gone by then. */
function loadedModules(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm);
  return [...statements].flatMap(([, module]) => (module === undefined ? [] : [module]));
}

/** Every file that is bundled into the workflow sandbox, with what it loads. */
async function bundledFiles(file: string, found = new Map<string, string[]>()): Promise<Map<string, string[]>> {
  if (found.has(file)) return found;
  const modules = loadedModules(await readFile(join(folder, file), "utf8"));
  found.set(file, modules);
  for (const module of modules) if (module.startsWith("./")) await bundledFiles(module.slice(2), found);
  return found;
}

describe("Workflow code stays deterministic", () => {
  it("loads only its own files and Temporal's workflow packages: no activity, no Node module, nothing of src/", async () => {
    const files = await bundledFiles("registry.ts");
    expect([...files.keys()]).toContain("dailyAggregation.ts");
    const strangers = [...files].flatMap(([file, modules]) =>
      modules
        .filter((module) => !module.startsWith("./") && !allowedPackages.has(module))
        .map((module) => `${file} loads ${module}`),
    );
    expect(strangers).toEqual([]);
    expect([...files.keys()]).not.toContain("activities.ts");
  });

  it("has one door to src/: activities.ts, beside the worker that opens it", async () => {
    const doors: string[] = [];
    for (const file of await readdir(folder))
      if (loadedModules(await readFile(join(folder, file), "utf8")).some((module) => module.startsWith("../src/")))
        doors.push(file);
    expect(doors.sort()).toEqual(["activities.ts", "worker.ts"]);
  });
});
