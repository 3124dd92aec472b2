import { TestWorkflowEnvironment } from "@temporalio/testing";
import { DefaultLogger, Runtime } from "@temporalio/worker";
import { retry } from "../../../src/concurrency/retry.ts";
import { searchAttributes } from "../../../src/store/temporal/searchAttributes.ts";
import { getTimeSkippingServer } from "./timeSkippingServer.ts";

/** A Temporal that skips time, with our search attributes. The caller stops it. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  Runtime.install({ logger: new DefaultLogger("ERROR") });
  const path = await getTimeSkippingServer();
  // The library gives a server 5 seconds to start, which a busy machine may not keep.
  const env = await retry(
    () => TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: "existing-path", path } } }),
    {
      minWaitMs: 1_000,
      maxWaitMs: 1_000,
      giveUpAfterMs: 120_000,
      stop: new AbortController().signal,
      onRetry: () => undefined,
    },
  );
  await env.connection.operatorService.addSearchAttributes({
    namespace: "default",
    searchAttributes: Object.fromEntries(searchAttributes.map(({ name }) => [name, 2])),
  });
  return env;
}
