import { DefaultPayloadConverter, type Payload } from "@temporalio/common";
import { UnreadablePayload } from "./payload.ts";

/**
 * Decodes payloads as Temporal does by default, but answers an UnreadablePayload where that throws: a signal whose payload cannot be
 * decoded would otherwise make the workflow's tasks fail without end. Handlers of signals refuse it by readPayload.
 */
class LenientPayloadConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload): T {
    try {
      return super.fromPayload<T>(payload);
    } catch {
      return new UnreadablePayload() as T;
    }
  }
}

/** Temporal's worker loads it by this name, for workflows and activities. */
export const payloadConverter = new LenientPayloadConverter();
