import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/kit/stack/longestFirst.ts";
import { quickStart } from "./test/kit/stack/quickStart.ts";

/** Made by the tests' set-up once for all files of a project: the product as it runs. */
const globalSetup = "test/kit/stack/globalSetup.ts";

/**
 * Where `npm run test:coverage` gathers what ran: `tests` has the report of the tests' own processes. The processes that they start write theirs to
 * `processes`, for which Node reads NODE_V8_COVERAGE once, at their start.
 */
const { COVERAGE_DIR: coverageDir } = process.env;

const shared = {
  // Vite sets it to "/", which is no address of the service.
  env: { BASE_URL: "", ...(coverageDir ? { NODE_V8_COVERAGE: `${coverageDir}/processes` } : {}) },
  // Processes, since a child process is tied to the main thread of the one that started it.
  pool: "forks" as const,
  testTimeout: 120_000,
  // A busy machine is slow, not wrong: waiting longer than an idle one needs must not fail a test.
  expect: { poll: { timeout: 100_000 } },
  hookTimeout: 120_000,
  teardownTimeout: 60_000,
};

export default defineConfig({
  test: {
    coverage: {
      enabled: coverageDir !== undefined,
      provider: "v8",
      include: [
        "src/**/*.ts",
        "workflows/**/*.ts",
        "stack/**/*.ts",
        "codegen/**/*.ts",
        "packages/client-js/src/**/*.ts",
      ],
      exclude: ["src/gen/**"],
      reporter: ["json"],
      reportsDirectory: `${coverageDir}/tests`,
    },
    // Service tests mostly wait, for workflows, commits and timers: six at a time keep two cores busy.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Pure functions and single classes: no server, no set-up, seconds in all.
      { test: { ...shared, name: "unit", isolate: false, include: ["test/**/*.unit.test.ts"] } },
      // What users see, on one shared stack.
      {
        test: {
          ...shared,
          name: "service",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.unit.test.ts", "test/**/*.long.test.ts", "test/**/*.scale.test.ts"],
          globalSetup,
        },
      },
      // Kill rounds, simulated years, oracles and fuzzing. Many start servers of their own.
      {
        test: {
          ...shared,
          name: "long",
          env: { ...shared.env, ...quickStart },
          // Beside four others that each start servers of their own, a step takes up to a hundred times as long as on an idle machine.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Each question of a wait takes processor time from what is waited for.
          expect: { poll: { timeout: 200_000, interval: 200 } },
          include: ["test/**/*.long.test.ts"],
          globalSetup,
        },
      },
      // Several QuestDBs of their own, which are killed. The PostgreSQL and the Temporal are those of all tests.
      { test: { ...shared, name: "scale", include: ["test/**/*.scale.test.ts"], globalSetup, fileParallelism: false } },
    ],
  },
});
