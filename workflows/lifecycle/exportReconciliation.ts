import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { ReconciledExports } from "../../src/lifecycle/export/run/reconcileExports.ts";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { ExportActivities } from "./exportActivities.ts";

const { reconcileExports } = aliveActivities<ExportActivities>({
  startToCloseTimeout: "1 hour",
});

/** Cleans up after lost export runs. The Schedule `export-reconciliation` starts it; running it at any time is safe. */
export async function exportReconciliation(): Promise<ReconciledExports> {
  upsertSearchAttributes([{ key: lookoutKind, value: "export-reconciliation" }]);
  const result = await reconcileExports();
  setCurrentDetails(`### Exports\n\n${result.lost} lost runs ended, files of ${result.removed} exports removed`);
  return result;
}
