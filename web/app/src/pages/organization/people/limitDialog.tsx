import { type Member, OrganizationService } from "../../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import type { Role } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen } from "../../../api/chosen.ts";
import { clientOf } from "../../../api/client.ts";
import { loadSession, session } from "../../../api/session.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { chosenLimits, LimitFields } from "./limitFields.tsx";

const client = clientOf(OrganizationService);

type LimitDialogProps = { readonly member: Member; readonly onClose: () => void; readonly onChange: () => void };

/** Limits a member to websites, and to rights on them. */
export function LimitDialog({ member, onClose, onChange }: LimitDialogProps) {
  const { people: texts, settings } = allTexts();
  const { id, userId, name, email, websiteIds, scopes } = member;
  const role = chosen<Role>(member.role);
  return (
    <Dialog title={texts.limitsOf(name || email)} onClose={onClose}>
      <Form
        submit={settings.save}
        onSubmit={async (_, all) => {
          await client.limitMember({ id, ...chosenLimits(all, role) });
          onClose();
          onChange();
          if (userId === session.value?.userId) await loadSession();
        }}
      >
        <p>{texts.limitText}</p>
        <LimitFields role={role} websiteIds={websiteIds} scopes={scopes} />
      </Form>
    </Dialog>
  );
}
