import { useSignal } from "@preact/signals";
import {
  type PreviewRetentionResponse,
  type Website,
  WebsiteService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { loadWebsites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { RowCounts } from "../../../ui/rowCounts.tsx";
import { SavedLine } from "../../../ui/savedLine.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { type Days, daysOf, periods } from "./periods.ts";
import { RetentionPreview } from "./retentionPreview.tsx";
import { RetentionRuns } from "./retentionRuns.tsx";

const client = clientOf(WebsiteService);

/**
 * How long data is kept: the periods, what a change would erase, pending shorter periods that can be cancelled, and what was
 * erased.
 */
export function RetentionPage({ website }: { readonly website: Website }) {
  return (
    <>
      {website.pendingRetention !== undefined && <Pending website={website} />}
      <Periods website={website} />
      <RetentionRuns websiteId={website.id} />
    </>
  );
}

type Asked = { readonly retention: Partial<Days>; readonly preview: PreviewRetentionResponse };

function Periods({ website }: { readonly website: Website }) {
  const { retention: texts } = allTexts();
  const asked = useSignal<Asked | undefined>(undefined);
  const isSaved = useSignal(false);
  // Pending shorter periods are what a person has set last.
  const current = daysOf(website.pendingRetention?.retention ?? website.retention);
  return (
    <Section name="periods" title={texts.heading} text={texts.text}>
      {may("update") ? (
        <Form
          submit={texts.check}
          foot={<SavedLine isSaved={isSaved.value} />}
          onSubmit={async (value) => {
            const changed = periods.filter((period) => Number(value(period)) !== current[period]);
            // Send only changed periods: an unchanged one would cancel a pending shorter one.
            const retention = Object.fromEntries(changed.map((period) => [period, Number(value(period))]));
            const preview = await client.previewRetention({ id: website.id, retention });
            isSaved.value = false;
            asked.value = { retention, preview };
          }}
        >
          <div class="field-row">
            {periods.map((period) => (
              <Field
                key={period}
                name={period}
                type="number"
                min={1}
                max={3_650}
                step={1}
                inputMode="numeric"
                label={texts.periods[period]}
                hint={texts.covers[period]}
                value={current[period]}
              />
            ))}
          </div>
        </Form>
      ) : (
        <Facts facts={periods.map((period) => [texts.periods[period], texts.days(current[period])])} />
      )}
      {asked.value !== undefined && (
        <RetentionPreview
          current={current}
          preview={asked.value.preview}
          onApply={async () => {
            await client.setRetention({ id: website.id, retention: asked.value?.retention ?? {} });
            await loadWebsites(true);
            isSaved.value = true;
          }}
          onClose={() => {
            asked.value = undefined;
          }}
        />
      )}
    </Section>
  );
}

function Pending({ website: { id, pendingRetention } }: { readonly website: Website }) {
  const { retention: texts } = allTexts();
  if (pendingRetention === undefined) return null;
  const days = daysOf(pendingRetention.retention);
  return (
    <Section name="pending" title={texts.pending}>
      <p>
        {texts.effectiveAt} <Time at={pendingRetention.effectiveAt} />. {texts.untilThen}
      </p>
      <Facts facts={periods.map((period) => [texts.periods[period], texts.days(days[period])])} />
      <RowCounts label={texts.wouldErase} rows={pendingRetention.wouldErase} />
      {may("update") && (
        <div>
          <ActionButton
            class="button button-main"
            onAct={async () => {
              await client.cancelRetention({ id });
              await loadWebsites(true);
            }}
          >
            {texts.cancel}
          </ActionButton>
        </div>
      )}
    </Section>
  );
}
