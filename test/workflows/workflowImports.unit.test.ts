import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const folder = "workflows";

/** Packages intended to run inside a workflow. */
const allowedPackages = new Set(["@temporalio/workflow", "@temporalio/common"]);

/** Files of src/ that workflows may load: pure functions. */
const pureFiles = [
  "src/store/temporal/searchAttributes.ts",
  "src/time/utcDay.ts",
  "src/uptime/run/watchedMonitor.ts",
  "src/uptime/state/slots.ts",
  "src/uptime/state/state.ts",
];

/** Modules that a file loads when it runs; `import type` is erased by then. */
function loadedModules(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm);
  return [...statements].flatMap(([, module]) => (module === undefined ? [] : [module]));
}

/** Every file that is bundled into the workflow sandbox, with what it loads; our own files by their path in the project. */
async function bundledFiles(file: string, found = new Map<string, string[]>()): Promise<Map<string, string[]>> {
  if (found.has(file)) return found;
  const modules = loadedModules(await readFile(file, "utf8")).map((module) =>
    module.startsWith(".") ? normalize(join(dirname(file), module)) : module,
  );
  found.set(file, modules);
  for (const module of modules) if (module.endsWith(".ts")) await bundledFiles(module, found);
  return found;
}

describe("Workflow code stays deterministic", () => {
  it("loads only its own files, the pure ones of src/ and Temporal's workflow packages: no activity, no Node module", async () => {
    const files = await bundledFiles(join(folder, "registry.ts"));
    expect([...files.keys()]).toContain("workflows/aggregation/dailyAggregation.ts");
    const strangers = [...files].flatMap(([file, modules]) =>
      modules
        .filter(
          (module) => !module.startsWith(`${folder}/`) && !pureFiles.includes(module) && !allowedPackages.has(module),
        )
        .map((module) => `${file} loads ${module}`),
    );
    expect(strangers).toEqual([]);
    expect([...files.keys()].filter((file) => /activities\.ts$/i.test(file))).toEqual([]);
  });

  it("reaches the rest of src/ only through the activities and the processes that open them", async () => {
    const bundled = await bundledFiles(join(folder, "registry.ts"));
    const doors: string[] = [];
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith(".ts") || bundled.has(join(folder, file))) continue;
      const modules = loadedModules(await readFile(join(folder, file), "utf8"));
      if (modules.some((module) => /^(?:\.\.\/)+src\//.test(module))) doors.push(file);
    }
    expect(doors.sort()).toEqual([
      "activities.ts",
      "backup/backupActivities.ts",
      "connectTemporal.ts",
      "lifecycle/erasureActivities.ts",
      "lifecycle/exportActivities.ts",
      "lifecycle/moveActivities.ts",
      "lifecycle/retentionActivities.ts",
      "probe.ts",
      "runProcess.ts",
      "tracedActivities.ts",
      "uptime/notificationActivities.ts",
      "uptime/uptimeActivities.ts",
      "uptime/watchActivities.ts",
      "worker.ts",
    ]);
  });
});
