import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A module that is loaded the first time it is wanted; undefined until then. */
export function useModule<M extends object>(load: () => Promise<M>, isWanted: boolean): M | undefined {
  const loaded = useSignal<M | undefined>(undefined);
  useEffect(() => {
    if (!isWanted || loaded.peek() !== undefined) return;
    void load().then((module) => {
      loaded.value = module;
    });
  }, [isWanted, loaded]);
  return loaded.value;
}
