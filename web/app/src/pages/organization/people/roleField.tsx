import type { Role } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen as chosenValue } from "../../../api/chosen.ts";
import { session } from "../../../api/session.ts";
import { roles } from "../../../texts/roleName.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Select } from "../../../ui/fields.tsx";

type RoleFieldProps = { readonly chosen: string; readonly onChange?: (role: Role) => void };

/** Chooses a role; shows what each may do. Only owners can make owners. */
export function RoleField({ chosen, onChange }: RoleFieldProps) {
  const { people } = allTexts();
  const choices = roles.filter((each) => each !== "owner" || session.value?.role === "owner");
  return (
    <div class="stack">
      <Select
        name="role"
        label={people.role}
        value={chosen}
        choices={Object.fromEntries(choices.map((each) => [each, people.roles[each]]))}
        {...(onChange === undefined ? {} : { onChange: (role) => onChange(chosenValue<Role>(role)) })}
      />
      <dl class="fact-list">
        {choices.map((each) => (
          <div key={each}>
            <dt>{people.roles[each]}</dt>
            <dd>{people.roleTexts[each]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
