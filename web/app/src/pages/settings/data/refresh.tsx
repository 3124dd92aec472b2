import { useEffect } from "preact/hooks";
import { useEvery } from "../../../ui/useEvery.ts";

const everyMs = 2_000;

/** Asks again and again for as long as it is drawn: while something runs. */
export function Refresh({ onTick }: { readonly onTick: () => void }) {
  const count = useEvery(everyMs);
  useEffect(() => {
    if (count > 0) onTick();
  }, [count]);
  return null;
}
