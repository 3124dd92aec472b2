/** By partition of a log: everything before this offset is stored. Text, since an offset may exceed a safe integer. */
export type Offsets = Readonly<Record<string, string>>;
