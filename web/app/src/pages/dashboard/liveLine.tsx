import { formatCount } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { Definition } from "../../ui/definition.tsx";
import { live } from "./live.ts";

/** The number of current visitors, and whether the figures are live. */
export function LiveLine() {
  const { dashboard } = t();
  const { state, now } = live.value;
  return (
    <p class="live" data-live={state}>
      <span class="live-dot" aria-hidden="true" />
      {now !== undefined && state !== "off" && (
        <Definition type="active_stats">
          {dashboard.visitorsNow(formatCount(now.active_users), now.active_users)}
        </Definition>
      )}
      <span role="status" class={state === "live" ? "said" : undefined}>
        {dashboard.live[state]}
      </span>
    </p>
  );
}
