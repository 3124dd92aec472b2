import { session } from "../../api/session.ts";
import { roleName } from "../../texts/roleName.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { Password } from "./password.tsx";
import { SecondFactor } from "./secondFactor.tsx";
import { Sessions } from "./sessions.tsx";
import "../../styles/panels.css";
import "../../styles/settings.css";

/** /account: the person's own password, second factor and sessions. */
export default function Account() {
  const { yourAccount: texts } = allTexts();
  const person = session.value;
  if (person === undefined) return null;
  return (
    <div class="settings">
      <h1>{texts.title}</h1>
      <Section name="person" title={texts.person}>
        <Facts
          facts={[
            [texts.name, person.name],
            [texts.email, person.email],
            ...(person.role === "" ? [] : [[texts.role, roleName(person.role)] as const]),
          ]}
        />
      </Section>
      <Password />
      <SecondFactor />
      <Sessions />
    </div>
  );
}
