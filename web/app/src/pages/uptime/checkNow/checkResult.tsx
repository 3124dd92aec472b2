import type { CheckResult } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { formatBytes, formatMs } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { State } from "../../../ui/uptime/state.tsx";
import { phaseText } from "../monitor/phaseText.ts";

/** The result of a check that is not stored: why it is so, the time of each phase, and each condition. */
export function CheckResultBox({ result }: { readonly result: CheckResult }) {
  const { incident: texts, uptime } = allTexts();
  const { status, httpCode, error, assertions } = result;
  const phases = [
    [uptime.httpStatus, httpCode === 0 ? "–" : String(httpCode)],
    [uptime.phases.dns, phaseText(result.dnsMs, status)],
    [uptime.phases.connect, phaseText(result.connectMs, status)],
    [uptime.phases.tls, phaseText(result.tlsMs, status)],
    [uptime.firstByte, phaseText(result.ttfbMs, status)],
    [uptime.total, formatMs(result.totalMs)],
    [uptime.size, httpCode === 0 ? "–" : formatBytes(result.responseBytes)],
  ] as const;
  return (
    <section class="panel check-result" aria-label={texts.result} data-panel="result">
      <p class="check-result-state">
        <State name={status} />
        {error !== undefined && <span>{error}</span>}
      </p>
      <dl class="check-result-phases">
        {phases.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {assertions.length > 0 && (
        <ul class="check-result-conditions">
          {assertions.map(({ path, operator, value, holds, found }) => (
            <li key={`${path} ${operator} ${value}`} data-holds={holds}>
              <State name={holds ? "up" : "down"} /> <code>{path}</code>{" "}
              {uptime.fields.operators[operator as keyof typeof uptime.fields.operators] ?? operator} {value}:{" "}
              {holds ? texts.holds : `${texts.holdsNot}, ${texts.found(found)}`}
            </li>
          ))}
        </ul>
      )}
      <p class="field-hint">{texts.resultNote(result.probeRegion)}</p>
    </section>
  );
}
