/** By partition of a log, as text since it may exceed a safe integer: everything before is stored. */
export type Offsets = Readonly<Record<string, string>>;
