/**
 * After an outage Temporal's own workflow of a Schedule goes through every run that was missed, one a minute for days, in one task. Its
 * detector of deadlocks lets a task take a second, also on a busy machine, and then the task begins again: the Schedule stood still, and a
 * worker that asked for it did not start. This turns the detector off in Temporal's own workers.
 */
export const patientSchedules = { TEMPORAL_DEBUG: "1" };

/** At `warn` it writes a line of 700 bytes for each missed run, which takes most of the time of that task. */
export const temporalLogLevel = "error";
