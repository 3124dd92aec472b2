import { useSignal } from "@preact/signals";
import type { Monitor } from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { instantOf, wallClock } from "../../../texts/wallClock.ts";
import { Checkbox } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { maintenanceWindows } from "../services.ts";

type NewWindowProps = {
  readonly websiteId: string;
  readonly zone: string;
  readonly monitors: readonly Monitor[];
  readonly onCreate: () => void;
};

const hourMs = 3_600_000;

/** Plans a maintenance window. Its times are in the website's time zone. */
export function NewWindow({ websiteId, zone, monitors, onCreate }: NewWindowProps) {
  const { uptime: texts } = allTexts();
  /** Counts created windows, so that the next form is empty. */
  const created = useSignal(0);
  const nextHourMs = Math.ceil(Date.now() / hourMs) * hourMs;
  return (
    <section class="panel panel-form" aria-labelledby="new-window">
      <h2 id="new-window">{texts.newWindow}</h2>
      <Form
        key={created.value}
        submit={texts.createWindow}
        onSubmit={async (value, all) => {
          await maintenanceWindows.createMaintenanceWindow({
            websiteId,
            title: value("title").trim(),
            startsAt: instantOf(value("startsAt"), zone),
            endsAt: instantOf(value("endsAt"), zone),
            monitorIds: all("monitor"),
          });
          created.value++;
          onCreate();
        }}
      >
        <Field name="title" label={texts.windowTitle} hint={texts.windowTitleHint} maxLength={256} />
        <div class="form-row">
          <Field
            name="startsAt"
            type="datetime-local"
            label={texts.startsAt}
            hint={texts.timesIn(zone)}
            value={wallClock(nextHourMs, zone)}
          />
          <Field
            name="endsAt"
            type="datetime-local"
            label={texts.endsAt}
            hint={texts.timesIn(zone)}
            value={wallClock(nextHourMs + hourMs, zone)}
          />
        </div>
        {monitors.length > 0 && (
          <fieldset class="choices">
            <legend>{texts.monitors}</legend>
            <p class="field-hint">{texts.windowMonitorsHint}</p>
            {monitors.map(({ id, name }) => (
              <Checkbox key={id} name="monitor" value={id} label={name} />
            ))}
          </fieldset>
        )}
      </Form>
    </section>
  );
}
