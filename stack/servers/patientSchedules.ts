/**
 * After an outage, Temporal's own workflow of a Schedule goes through every missed run, one a minute for days, in one task. Its
 * deadlock detector lets a task take a second, even on a busy machine, and then restarts the task. The Schedule then stood still,
 * and a worker that asked for it did not start. This turns the detector off in Temporal's own workers.
 */
export const patientSchedules = { TEMPORAL_DEBUG: "1" };

/** At `warn`, Temporal writes a line of 700 bytes for each missed run, which takes most of the time of that task. */
export const temporalLogLevel = "error";
