import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take half a minute and more, longest first: started last, one of them would run alone at the end. */
const longest = [
  "export.http.test.ts",
  "erasureUptime.http.test.ts",
  "erasureRows.http.test.ts",
  "engine.test.ts",
  "rateLimits.http.test.ts",
  "requestDeadline.test.ts",
  "retention.test.ts",
];

/** Runs the longest test files first, and the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? longest.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
