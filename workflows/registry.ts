/** Workflow types by their exported names. Temporal bundles the workflows of a worker from one module. */
export { correction } from "./aggregation/correction.ts";
export { dailyAggregation } from "./aggregation/dailyAggregation.ts";
export { saltRotation } from "./aggregation/saltRotation.ts";
export { deletion } from "./lifecycle/deletion.ts";
export { deletionReconciliation } from "./lifecycle/deletionReconciliation.ts";
export { exportData } from "./lifecycle/export.ts";
export { exportReconciliation } from "./lifecycle/exportReconciliation.ts";
export { purge } from "./lifecycle/purge.ts";
export { retention } from "./lifecycle/retention.ts";
export { retentionChange } from "./lifecycle/retentionChange.ts";
export { retentionReconciliation } from "./lifecycle/retentionReconciliation.ts";
export { delivery } from "./uptime/delivery.ts";
export { incident } from "./uptime/incident.ts";
export { monitor } from "./uptime/monitor.ts";
export { monitorReconciliation } from "./uptime/monitorReconciliation.ts";
