/**
 * Temporal's SDK takes a stack trace of every promise of a workflow and maps each of its lines to our source, for the query
 * `__stack_trace`. With the usual ten lines that was half of a worker's time.
 */
Error.stackTraceLimit = 2;
