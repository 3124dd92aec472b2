import { hrefTo } from "../../router/router.ts";
import { formatCount } from "../../texts/format.ts";
import { t } from "../../texts/texts.ts";
import { Definition } from "../../ui/definition.tsx";
import { useDashboard } from "./context.ts";
import { type LiveState, live } from "./live.ts";

/** States that people have to see; the others are said only. */
const troubles: ReadonlySet<LiveState> = new Set(["stalled", "lost"]);

/** How many visitors are here now, and whether the figures are live. */
export function LiveLine() {
  const { dashboard } = t();
  const { state, now } = live.value;
  return (
    <div class="live" data-live={state}>
      <span class="live-dot" aria-hidden="true" />
      {now?.active_users != null && state !== "off" && <Now visitors={now.active_users} />}
      <span role="status" class={troubles.has(state) ? "live-trouble" : "said"}>
        {dashboard.live[state]}
      </span>
    </div>
  );
}

function Now({ visitors }: { readonly visitors: number }) {
  const { websiteId, isMember } = useDashboard();
  const { bar, dashboard } = t();
  const count = formatCount(visitors);
  const text = (
    <>
      <span aria-hidden="true">
        <b>{count}</b> {bar.now}
      </span>
      <span class="said">{dashboard.visitorsNow(count, visitors)}</span>
    </>
  );
  // The page about now is for people of the organization.
  if (!isMember) return <Definition type="active_stats">{text}</Definition>;
  return (
    <a class="live-now" href={hrefTo(["realtime", websiteId])}>
      {text}
    </a>
  );
}
