import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    // Processes, since a child process is tied to the main thread of the one that started it.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    // What is waited for comes within moments on a machine of its own; a busy one must not fail a test.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
