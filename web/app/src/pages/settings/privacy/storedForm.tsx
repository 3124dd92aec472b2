import { type Website, WebsiteService } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { loadWebsites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Facts } from "../../../ui/facts.tsx";
import { Checkbox, Select } from "../../../ui/fields.tsx";
import { Field } from "../../../ui/form.tsx";
import { SavedForm } from "../../../ui/savedForm.tsx";
import { Section } from "../../../ui/section.tsx";

const client = clientOf(WebsiteService);

/** What is stored of visitors with new events. */
export function StoredForm({ website: { id, privacy } }: { readonly website: Website }) {
  const { privacy: texts } = allTexts();
  const { place = "city", ids = "sent", audienceOnly = false, smallestGroup = 10 } = privacy ?? {};
  const places: Readonly<Record<string, string>> = texts.places;
  const idKinds: Readonly<Record<string, string>> = texts.idKinds;
  return (
    <Section name="stored" title={texts.stored} text={texts.storedText}>
      {may("update") ? (
        <SavedForm
          onSave={async (value) => {
            const chosen = {
              place: chosenOf(texts.places, value("place"), "city"),
              ids: chosenOf(texts.idKinds, value("ids"), "sent"),
              audienceOnly: value("audienceOnly") !== "",
              smallestGroup: Number(value("smallestGroup")),
            };
            await client.updateWebsite({ id, privacy: chosen });
            await loadWebsites(true);
          }}
        >
          <div>
            <Checkbox name="audienceOnly" label={texts.audience} isChecked={audienceOnly} />
            <p class="field-hint">{texts.audienceText}</p>
          </div>
          <Field
            name="smallestGroup"
            type="number"
            min={5}
            max={1_000}
            step={1}
            inputMode="numeric"
            label={texts.smallestGroup}
            value={smallestGroup}
          />
          <Select name="place" label={texts.place} choices={places} value={place} />
          <Select name="ids" label={texts.ids} hint={texts.idsHint} choices={idKinds} value={ids} />
        </SavedForm>
      ) : (
        <Facts
          facts={[
            [texts.audience, audienceOnly ? texts.isOn : texts.isOff],
            [texts.place, places[place] ?? place],
            [texts.ids, idKinds[ids] ?? ids],
          ]}
        />
      )}
    </Section>
  );
}

/** The choice with this name. */
function chosenOf<T extends string>(choices: Readonly<Record<T, string>>, name: string, otherwise: T): T {
  return (Object.keys(choices) as T[]).find((choice) => choice === name) ?? otherwise;
}
