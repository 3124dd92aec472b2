import { DefaultPayloadConverter, type Payload } from "@temporalio/common";
import { UnreadablePayload } from "./payload.ts";

/**
 * Decodes payloads as Temporal does by default, but returns an UnreadablePayload where that throws. A signal with such
 * a payload would otherwise make the workflow's tasks fail forever. Signal handlers reject it with readPayload.
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

/** Temporal's worker loads the export of this name, for workflows and activities. */
export const payloadConverter = new LenientPayloadConverter();
