/**
 * A broken rule of the contract. `field` is the path with JSON names, `rule` protovalidate's rule id, `allowed` the values of an `in`
 * rule and `value` what was sent instead, so that a suggestion can be made.
 */
export type Violation = { field: string; message: string; rule: string; value?: unknown; allowed?: readonly string[] };
