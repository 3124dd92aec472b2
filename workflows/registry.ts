/** Workflow types by their exported names. Temporal bundles the workflows of a worker from one module. */
export { correction } from "./aggregation/correction.ts";
export { dailyAggregation } from "./aggregation/dailyAggregation.ts";
export { backup, backupCheck } from "./backup/backup.ts";
export { deletion } from "./lifecycle/deletion.ts";
export { exportData } from "./lifecycle/export.ts";
export { organizationMove } from "./lifecycle/organizationMove.ts";
export { retention } from "./lifecycle/retention.ts";
export { retentionChange } from "./lifecycle/retentionChange.ts";
export {
  deletionReconciliation,
  exportReconciliation,
  monitorReconciliation,
  purge,
  retentionReconciliation,
  saltRotation,
} from "./scheduledRuns.ts";
export { delivery } from "./uptime/delivery.ts";
export { incident } from "./uptime/incident.ts";
export { monitor } from "./uptime/monitor.ts";
