import { useSignal } from "@preact/signals";
import { useCall } from "../../../api/useCall.ts";
import { formatBytes, formatInstant, formatMs } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { ScrollArea } from "../../../ui/scrollArea.tsx";
import { State } from "../../../ui/uptime/state.tsx";
import type { MonitorPartProps } from "../partProps.ts";
import { uptime } from "../services.ts";
import { phaseText } from "./phaseText.ts";

const fewChecks = 20;
const manyChecks = 200;

/** The last checks with the time of each phase. */
export function Checks({ monitor, zone, refresh }: MonitorPartProps) {
  const { uptime: texts, panels } = allTexts();
  const limit = useSignal(fewChecks);
  const count = limit.value;
  const checks = useCall(
    `checks of ${monitor.id} ${count}`,
    (signal) => uptime.listRecentChecks({ monitorId: monitor.id, limit: count }, { signal }),
    { refresh },
  );
  return (
    <section class="panel" aria-labelledby="checks" data-panel="checks">
      <div class="panel-head">
        <h2 id="checks">{texts.recentChecks}</h2>
      </div>
      <Loaded state={checks} height="20rem" empty={texts.noChecks} isEmpty={(answer) => answer.checks.length === 0}>
        {(answer) => (
          <ScrollArea class="wide-table" label={texts.recentChecks}>
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col">{texts.time}</th>
                  <th scope="col" class="text-column">
                    {texts.state}
                  </th>
                  <th scope="col">{texts.httpStatus}</th>
                  <th scope="col">{texts.phases.dns}</th>
                  <th scope="col">{texts.phases.connect}</th>
                  <th scope="col">{texts.phases.tls}</th>
                  <th scope="col">{texts.firstByte}</th>
                  <th scope="col">{texts.total}</th>
                  <th scope="col">{texts.size}</th>
                  <th scope="col">{texts.region}</th>
                  <th scope="col" class="text-column">
                    {texts.reason}
                  </th>
                </tr>
              </thead>
              <tbody>
                {answer.checks.map((check) => (
                  <tr key={`${check.scheduledAt} ${check.probeRegion}`}>
                    <th scope="row">
                      <time dateTime={check.timestamp}>
                        {formatInstant(check.timestamp, zone, { withSeconds: true })}
                      </time>
                    </th>
                    <td class="text-column">
                      <State name={check.status} />
                    </td>
                    <td>{check.httpCode === 0 ? "–" : check.httpCode}</td>
                    <td>{phaseText(check.dnsMs, check.status)}</td>
                    <td>{phaseText(check.connectMs, check.status)}</td>
                    <td>{phaseText(check.tlsMs, check.status)}</td>
                    <td>{phaseText(check.ttfbMs, check.status)}</td>
                    <td>{formatMs(check.totalMs)}</td>
                    <td>{check.httpCode === 0 ? "–" : formatBytes(check.responseBytes)}</td>
                    <td>{check.probeRegion}</td>
                    <td class="text-column">{check.error}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea>
        )}
      </Loaded>
      {(count === manyChecks || (checks.value?.checks.length ?? 0) >= fewChecks) && (
        <div class="panel-foot">
          <button
            type="button"
            class="button button-plain"
            aria-expanded={count === manyChecks}
            onClick={() => {
              limit.value = count === fewChecks ? manyChecks : fewChecks;
            }}
          >
            {count === fewChecks ? panels.showAll : panels.showFewer}
          </button>
        </div>
      )}
    </section>
  );
}
