import { fileURLToPath } from "node:url";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Only with traces, see bundleWorkflows.ts. */
export const traceHeadersPath = pathOf("./traceHeaders.ts");
export const workflowsPath = pathOf("./registry.ts");
export const payloadConverterPath = pathOf("./payloadConverter.ts");

/**
 * Modules that all workflows of a worker share, instead of each loading its own: 0.2 MB less for each monitor. They must not keep
 * anything between calls, and are frozen after they were loaded.
 */
export const preloadModules = [pathOf("./stackTraceLimit.ts"), payloadConverterPath, workflowsPath];
