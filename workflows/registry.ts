/** Workflow types by their exported names. Temporal bundles the workflows of a worker from one module. */
export { correction } from "./correction.ts";
export { dailyAggregation } from "./dailyAggregation.ts";
export { deletion } from "./deletion.ts";
export { deletionReconciliation } from "./deletionReconciliation.ts";
export { delivery } from "./delivery.ts";
export { exportData } from "./export.ts";
export { exportReconciliation } from "./exportReconciliation.ts";
export { incident } from "./incident.ts";
export { monitor } from "./monitor.ts";
export { monitorReconciliation } from "./monitorReconciliation.ts";
export { purge } from "./purge.ts";
export { retention } from "./retention.ts";
export { retentionChange } from "./retentionChange.ts";
export { retentionReconciliation } from "./retentionReconciliation.ts";
export { saltRotation } from "./saltRotation.ts";
