import { useEffect } from "preact/hooks";
import { useEvery } from "../../../ui/useEvery.ts";

const everyMs = 2_000;

/** Calls `onTick` regularly while it is rendered: while something runs. */
export function Refresh({ onTick }: { readonly onTick: () => void }) {
  const count = useEvery(everyMs);
  useEffect(() => {
    if (count > 0) onTick();
  }, [count]);
  return null;
}
