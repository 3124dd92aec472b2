import { useSignal } from "@preact/signals";
import type { CheckResult } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { LookoutError } from "../../../api/client.ts";
import { useSending } from "../../../ui/useSending.ts";

export type CheckState = {
  readonly isChecking: boolean;
  readonly error: LookoutError | undefined;
  readonly result: CheckResult | undefined;
  readonly start: (ask: () => Promise<CheckResult | undefined>) => void;
};

/** One check at a time, whose result stays until the next. */
export function useCheck(): CheckState {
  const result = useSignal<CheckResult | undefined>(undefined);
  const { isSending, error, send } = useSending();
  return {
    isChecking: isSending,
    error,
    result: isSending || error !== undefined ? undefined : result.value,
    start: (ask) =>
      void send(async () => {
        result.value = await ask();
      }),
  };
}
