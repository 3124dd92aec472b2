import { readFileSync, writeFileSync } from "node:fs";

/** What one call of an operation sent and got, as the API reference shows it. */
export type Example = {
  readonly request: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly contentType?: string;
    readonly location?: string;
    /** JSON, or the text of a file. Absent for bytes. */
    readonly body?: unknown;
  };
  /** Refusals of the same call. */
  readonly errors: readonly ExampleError[];
};

export type ExampleError = { readonly status: number; readonly body: { readonly code: string } };

/** Examples by operation id. */
export type Examples = Readonly<Record<string, Example>>;

const file = new URL("../../../codegen/openapi/examples.json", import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function writeExamples(examples: Examples): void {
  const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 1)}\n`);
}
