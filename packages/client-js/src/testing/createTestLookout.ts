import type { Lookout, LookoutOptions } from "../createLookout.ts";
import { createClientOf } from "../createLookout.ts";
import { memoryTransport } from "./memoryTransport.ts";
import { RecordedCalls } from "./recordedCalls.ts";
import { restrictedFields } from "./restrictedFields.ts";
import type { SentEvent, TestAnswers, TestCall } from "./testAnswers.ts";

export type { TestRow, TestRows } from "./rowAnswers.ts";
export type { SentEvent, TestAnswer, TestAnswers, TestCall } from "./testAnswers.ts";

/** A client without a service. */
export type TestLookout = Lookout & {
  /** The calls that the code under test made, in their order; what `events.track` sends is in sentEvents only. */
  readonly calls: readonly TestCall[];
  /** The events that were sent, in their order: those of `events.track` after a flush. */
  readonly sentEvents: readonly SentEvent[];
};

/**
 * A client for tests that needs no service: each call is answered by `answers`. Requests and answers are checked against the contract: a
 * member that does not exist, a value of another kind and a value that is not in its list are refused, so that a test does not pass with an
 * answer that Lookout would never give. A call without an answer rejects with NOT_IMPLEMENTED and says what to add. Events are taken.
 */
export function createTestLookout(answers: TestAnswers = {}, options: Partial<LookoutOptions> = {}): TestLookout {
  const recorded = new RecordedCalls();
  const usual = { baseUrl: "http://test.invalid", websiteId: "test-website", retry: { attempts: 1 } };
  const lookout = createClientOf({ ...usual, ...options }, (_, interceptors) => ({
    transport: memoryTransport(answers, [...interceptors, recorded.interceptor]),
    request: recorded.request,
    allowed: restrictedFields,
  }));
  const { calls, sentEvents } = recorded;
  return { ...lookout, calls, sentEvents };
}
