import { formatInstant } from "../../../texts/formatTime.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { dayMs } from "../../../ui/uptime/shownDay.ts";
import type { StatusProps } from "./now.tsx";

/** The certificate of the last check. */
export function Certificate({ monitor, zone, status }: StatusProps) {
  const { uptime: texts } = allTexts();
  return (
    <section class="panel" aria-labelledby="certificate" data-panel="certificate">
      <div class="panel-head">
        <h2 id="certificate">{texts.certificate}</h2>
      </div>
      <div class="panel-part">
        <Loaded state={status} height="6rem">
          {({ lastCheck }) => {
            const expiry = lastCheck?.sslExpiry;
            if (lastCheck === undefined || expiry === undefined) return <p class="nothing">{texts.noCertificate}</p>;
            const daysLeft = Math.floor((Date.parse(expiry) - Date.now()) / dayMs);
            const isSoon = daysLeft <= monitor.certificateNoticeDays;
            return (
              <dl class="facts facts-plain">
                <div class="fact">
                  <dt>{texts.certificateState}</dt>
                  <dd>
                    <span class="state" data-state={lastCheck.sslValid ? "up" : "down"}>
                      <span class="state-sign" aria-hidden="true" />
                      {lastCheck.sslValid ? texts.certificateValid : texts.certificateInvalid}
                    </span>
                  </dd>
                </div>
                <div class="fact">
                  <dt>{texts.certificateEnds}</dt>
                  <dd>
                    <time dateTime={expiry}>{formatInstant(expiry, zone)}</time>
                  </dd>
                  <dd class={isSoon ? "field-error" : "field-hint"}>{texts.daysLeft(daysLeft)}</dd>
                </div>
                <div class="fact">
                  <dt>{texts.certificateNotice}</dt>
                  <dd>{texts.daysBefore(monitor.certificateNoticeDays)}</dd>
                </div>
              </dl>
            );
          }}
        </Loaded>
      </div>
    </section>
  );
}
