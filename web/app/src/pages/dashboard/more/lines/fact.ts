/** A part of a line: a figure with a name before it or a word behind it. */
export type Fact = {
  readonly key: string;
  readonly before?: string;
  readonly figure: string;
  readonly after?: string;
  /** The figure as the API answers it, if it is one. */
  readonly value?: number;
};
