import { useSignal } from "@preact/signals";
import { ApiKeyService } from "../../../../../../packages/client-js/src/gen/lookout/v1/api_keys_pb.ts";
import { allChosen } from "../../../api/chosen.ts";
import { clientOf, LookoutError } from "../../../api/client.ts";
import { session } from "../../../api/session.ts";
import { websites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { FieldGroup } from "../../../ui/fieldGroup.tsx";
import { Checkbox } from "../../../ui/fields.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import type { ShownKey } from "./keyText.tsx";

const client = clientOf(ApiKeyService);

type NewKeyProps = { readonly onMade: (key: ShownKey) => void; readonly onClose: () => void };

/** Creates a key: its scopes, its websites, and when it expires. */
export function NewKey({ onMade, onClose }: NewKeyProps) {
  const { apiKeys: texts } = allTexts();
  // Nobody can give more than they have.
  const mustLimit = (session.value?.websiteIds.length ?? 0) > 0;
  const isLimited = useSignal(mustLimit);
  // The session's scopes, in the service's order.
  const scopes = session.value?.scopes ?? [];
  const scopeTexts: Readonly<Record<string, string>> = texts.scopes;
  const found = websites.value.kind === "loaded" ? websites.value.websites : [];
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Dialog title={texts.new} onClose={onClose}>
      <Form
        submit={texts.create}
        onSubmit={async (value, all) => {
          const name = value("name").trim();
          const chosen = all("scopes");
          if (chosen.length === 0) throw new LookoutError("VALIDATION_ERROR", texts.chooseScope);
          const websiteIds = isLimited.value ? all("websites") : [];
          if (isLimited.value && websiteIds.length === 0)
            throw new LookoutError("VALIDATION_ERROR", texts.chooseWebsite);
          const last = value("expires");
          const { key } = await client.createApiKey({
            name,
            scopes: allChosen(chosen),
            websiteIds,
            // The day is included, by the device's clock.
            ...(last === "" ? {} : { expiresAt: new Date(`${last}T23:59:59.999`).toISOString() }),
          });
          onClose();
          onMade({ name, key });
        }}
      >
        <Field name="name" label={texts.name} hint={texts.nameHint} maxLength={256} autoFocus />
        <FieldGroup label={texts.mayDo}>
          <div class="choices">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                name="scopes"
                value={scope}
                isChecked={scope === "read:data"}
                label={
                  <>
                    <code class="mono">{scope}</code> <span class="field-hint">{scopeTexts[scope]}</span>
                  </>
                }
              />
            ))}
          </div>
        </FieldGroup>
        <FieldGroup label={texts.websites}>
          <label class="checkbox">
            <input
              type="checkbox"
              checked={isLimited.value}
              disabled={mustLimit}
              onChange={(event) => {
                isLimited.value = event.currentTarget.checked;
              }}
            />
            <span>{texts.onlySome}</span>
          </label>
          {isLimited.value && (
            <div class="choices">
              {found.map(({ id, name }) => (
                <Checkbox key={id} name="websites" value={id} label={name} />
              ))}
            </div>
          )}
        </FieldGroup>
        <Field name="expires" type="date" label={texts.lastDay} hint={texts.lastDayHint} min={today} isOptional />
      </Form>
    </Dialog>
  );
}
