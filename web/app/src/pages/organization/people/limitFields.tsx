import { useSignal } from "@preact/signals";
import type { ApiKeyScope, Role } from "../../../../../../packages/client-js/src/valueSets.ts";
import { allChosen } from "../../../api/chosen.ts";
import { LookoutError } from "../../../api/client.ts";
import { websites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { FieldGroup } from "../../../ui/fieldGroup.tsx";
import { Checkbox } from "../../../ui/fields.tsx";
import { roleRights } from "./roleRights.ts";

type LimitFieldsProps = {
  /** The role whose rights can be chosen. */
  readonly role: Role;
  /** What the person is limited to now; empty for nothing. */
  readonly websiteIds?: readonly string[];
  readonly scopes?: readonly string[];
};

/** Chooses the only websites that a person reaches, and the rights on them. */
export function LimitFields({ role, websiteIds = [], scopes = [] }: LimitFieldsProps) {
  const { people: texts, apiKeys } = allTexts();
  const isLimited = useSignal(websiteIds.length > 0);
  const found = websites.value.kind === "loaded" ? websites.value.websites : [];
  return (
    <>
      <FieldGroup label={apiKeys.websites}>
        <label class="checkbox">
          <input
            type="checkbox"
            name="limited"
            checked={isLimited.value}
            onChange={(event) => {
              isLimited.value = event.currentTarget.checked;
            }}
          />
          <span>{apiKeys.onlySome}</span>
        </label>
        {isLimited.value && (
          <div class="choices">
            {found.map(({ id, name }) => (
              <Checkbox key={id} name="websites" value={id} label={name} isChecked={websiteIds.includes(id)} />
            ))}
          </div>
        )}
      </FieldGroup>
      {isLimited.value && (
        <FieldGroup label={texts.rights} hint={texts.rightsHint}>
          <div class="choices">
            {roleRights[role].map((scope) => (
              <Checkbox
                key={`${role} ${scope}`}
                name="rights"
                value={scope}
                label={scope === "admin" ? texts.adminRight : apiKeys.scopes[scope]}
                isChecked={scopes.length === 0 || scopes.includes(scope)}
              />
            ))}
          </div>
        </FieldGroup>
      )}
    </>
  );
}

/** The limits that the fields state; all rights of the role are none, so that they follow the role. Throws VALIDATION_ERROR without a choice. */
export function chosenLimits(
  all: (name: string) => string[],
  role: Role,
): { websiteIds: string[]; scopes: ApiKeyScope[] } {
  const { apiKeys } = allTexts();
  if (role === "owner" || all("limited").length === 0) return { websiteIds: [], scopes: [] };
  const websiteIds = all("websites");
  if (websiteIds.length === 0) throw new LookoutError("VALIDATION_ERROR", apiKeys.chooseWebsite);
  const scopes = allChosen<ApiKeyScope>(all("rights"));
  if (scopes.length === 0) throw new LookoutError("VALIDATION_ERROR", apiKeys.chooseScope);
  return { websiteIds, scopes: scopes.length === roleRights[role].length ? [] : scopes };
}
