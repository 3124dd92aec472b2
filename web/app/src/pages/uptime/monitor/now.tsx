import type { GetStatusResponse, Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { CallState } from "../../../api/useCall.ts";
import { formatInstant, formatMs, formatRelative } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { State } from "../../../ui/uptime/state.tsx";

export type StatusProps = {
  readonly monitor: Monitor;
  readonly zone: string;
  readonly status: CallState<GetStatusResponse>;
};

/** The state now, the last check and the next one. */
export function Now({ monitor, zone, status }: StatusProps) {
  const { uptime: texts } = allTexts();
  return (
    <Loaded state={status} height="4.5rem">
      {({ status: state, lastCheckAt, nextCheckAt, lastCheck }) => (
        <dl class="facts">
          <div class="fact">
            <dt>{texts.state}</dt>
            <dd data-figure="state">
              <State name={monitor.status === "active" ? state : monitor.status} />
            </dd>
          </div>
          <div class="fact">
            <dt>{texts.lastCheck}</dt>
            <dd>{lastCheckAt === undefined ? texts.none : <Instant instant={lastCheckAt} zone={zone} />}</dd>
          </div>
          <div class="fact">
            <dt>{texts.nextCheck}</dt>
            <dd>{nextCheckAt === undefined ? texts.none : <Instant instant={nextCheckAt} zone={zone} />}</dd>
          </div>
          <div class="fact">
            <dt>{texts.answered}</dt>
            <dd>
              {lastCheck === undefined
                ? texts.none
                : (lastCheck.error ?? texts.answeredWith(lastCheck.httpCode, formatMs(lastCheck.totalMs)))}
            </dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

/** An instant relative to now, with its date on hover. */
function Instant({ instant, zone }: { readonly instant: string; readonly zone: string }) {
  return (
    <time dateTime={instant} title={formatInstant(instant, zone, { withSeconds: true })}>
      {formatRelative(instant, Date.now())}
    </time>
  );
}
