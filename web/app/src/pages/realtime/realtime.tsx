import { useSignal } from "@preact/signals";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { measuresAudienceOnly } from "../../api/audienceOnly.ts";
import { may } from "../../api/session.ts";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { formatClock } from "../../texts/formatTime.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { NoPermission } from "../../ui/noPermission.tsx";
import { EventList } from "./eventList.tsx";
import { Lists } from "./lists.tsx";
import { MinuteChart } from "./minuteChart.tsx";
import { News } from "./news.tsx";
import { NowFigures } from "./nowFigures.tsx";
import { useRealtime } from "./useRealtime.ts";
import "../../styles/dashboard.css";
import "../../styles/panels.css";
import "../../styles/uptime.css";
import "../../styles/realtime.css";

/** /realtime/<website>: who is here now, and what happened in the last half hour. */
export default function Realtime() {
  return (
    <WebsitePage>
      {(website) => (may("read:data") ? <Shown key={website.id} website={website} /> : <NoPermission />)}
    </WebsitePage>
  );
}

function Shown({ website: { id, name, timezone } }: { readonly website: Website }) {
  const { realtime: texts, dashboard, errors } = allTexts();
  const isAudience = measuresAudienceOnly(id);
  const isPaused = useSignal(false);
  const { figures, state } = useRealtime(id, timezone, isPaused.value);
  const kind = isPaused.value ? "paused" : state.kind;
  return (
    <div class="page realtime" data-live={kind}>
      <div class="page-head">
        <div>
          <h1>{texts.of(name)}</h1>
          <p class="live" data-live={kind}>
            <span class="live-dot" aria-hidden="true" />
            <span role="status">
              {kind === "paused"
                ? texts.paused(figures === undefined ? "–" : formatClock(figures.atMs, timezone))
                : kind === "refused"
                  ? dashboard.live.off
                  : dashboard.live[kind]}
            </span>
          </p>
        </div>
        <button
          type="button"
          class="button"
          onClick={() => {
            isPaused.value = !isPaused.value;
          }}
        >
          {isPaused.value ? texts.resume : texts.pause}
        </button>
      </div>
      {state.kind === "refused" && <ErrorNotice error={state.error} />}
      <News figures={figures} isSilent={isPaused.value} />
      <section class="panel realtime-top" aria-label={texts.halfHour}>
        <NowFigures figures={figures} />
        {!isAudience && <MinuteChart rows={figures?.minutes} zone={timezone} isWaiting={figures === undefined} />}
      </section>
      {isAudience ? (
        <p class="notice">{errors.audienceOnly}</p>
      ) : (
        <div class="realtime-columns">
          <EventList events={figures?.events} zone={timezone} isWaiting={figures === undefined} />
          <Lists websiteId={id} figures={figures} />
        </div>
      )}
      <p class="field-hint">{texts.zone(timezone)}</p>
    </div>
  );
}
