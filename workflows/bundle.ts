/** Bundles the workflows and sends the code to its parent process, see bundleWorkflows.ts. */
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { payloadConverterPath, preloadModules, workflowsPath } from "./bundleOptions.ts";

// The parent is gone: nothing else would stop this process.
process.on("disconnect", () => process.exit(1));
const logger = new DefaultLogger("ERROR");
const { code } = await bundleWorkflowCode({ workflowsPath, payloadConverterPath, preloadModules, logger });
process.send?.({ code }, () => process.disconnect());
