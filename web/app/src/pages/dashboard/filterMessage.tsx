import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { useDashboard } from "./context.ts";

/** Says the visitors that are left once filters have changed, for people who do not see it. `visitors` is undefined until known. */
export function FilterMessage({ visitors }: { readonly visitors: number | null | undefined }) {
  const { view } = useDashboard();
  const key = JSON.stringify(view.filters);
  const said = useRef(key);
  const text = useSignal("");
  const isKnown = visitors !== undefined && visitors !== null;
  useEffect(() => {
    if (said.current === key || !isKnown) return;
    said.current = key;
    text.value = t().dashboard.filtered(formatCount(visitors), visitors, view.filters.length > 0);
  }, [key, isKnown]);
  return (
    <p class="said" role="status" data-filter-message>
      {text.value}
    </p>
  );
}
