/** Bundles the workflows and sends the code to its parent process, see bundleWorkflows.ts. */
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { payloadConverterPath, preloadModules, traceHeadersPath, workflowsPath } from "./bundleOptions.ts";

// The parent is gone: nothing else would stop this process.
process.on("disconnect", () => process.exit(1));
const logger = new DefaultLogger("ERROR");
const workflowInterceptorModules = process.argv.includes("--traces") ? [traceHeadersPath] : [];
const { code } = await bundleWorkflowCode({
  workflowsPath,
  payloadConverterPath,
  workflowInterceptorModules,
  preloadModules: [...preloadModules, ...workflowInterceptorModules],
  logger,
});
process.send?.({ code }, () => process.disconnect());
