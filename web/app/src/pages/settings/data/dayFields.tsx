import type { Website } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { wallClock } from "../../../texts/wallClock.ts";
import { Field } from "../../../ui/form.tsx";

/** The fields `from` and `to`: days in the website's time zone, by default the last month. */
export function DayFields({ website }: { readonly website: Website }) {
  const { data: texts } = allTexts();
  const day = wallClock(Date.now(), website.timezone).slice(0, 10);
  const monthAgo = new Date(Date.parse(`${day}T00:00:00Z`) - 30 * 86_400_000).toISOString().slice(0, 10);
  return (
    <div class="field-row">
      <Field name="from" type="date" label={texts.from} value={monthAgo} max={day} />
      <Field name="to" type="date" label={texts.to} value={day} hint={texts.zone(website.timezone)} />
    </div>
  );
}
