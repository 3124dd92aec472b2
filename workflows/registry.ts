/** Workflow types by their exported names. Temporal bundles the workflows of a worker from one module. */
export { dailyAggregation } from "./dailyAggregation.ts";
