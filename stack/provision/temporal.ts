import { findProgram } from "../programs.ts";
import { planGoProgram } from "./go.ts";
import type { Install, Provisioning } from "./install.ts";

/**
 * The Temporal CLI with its development server: from PATH, the cache, or Go. Rejects with a StackError if none of them has it.
 */
export function planTemporal(provisioning: Provisioning): Install {
  const onPath = findProgram("temporal", provisioning.config.stack.path);
  if (onPath) return async () => onPath;
  return planGoProgram(provisioning, {
    name: "temporal",
    label: "the Temporal CLI",
    package: "github.com/temporalio/cli/cmd/temporal",
    // Later versions replace modules in their go.mod, which `go install` refuses.
    version: "v1.5.1",
    buildSeconds: 480,
    otherWays: "or put the temporal CLI on PATH, or set TEMPORAL_ADDRESS to a running server",
  });
}
