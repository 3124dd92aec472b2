import { useSignal } from "@preact/signals";
import { type Member, OrganizationService } from "../../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { chosen } from "../../../api/chosen.ts";
import { clientOf } from "../../../api/client.ts";
import { loadSession, mayForAll, session } from "../../../api/session.ts";
import { useCall } from "../../../api/useCall.ts";
import { roleName } from "../../../texts/roleName.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { LimitDialog } from "./limitDialog.tsx";
import { RoleField } from "./roleField.tsx";
import { ShownLimits } from "./shownLimits.tsx";

const client = clientOf(OrganizationService);

/** The members with their roles. */
export function Members() {
  const { people: texts } = allTexts();
  const changing = useSignal<Member | undefined>(undefined);
  const limiting = useSignal<Member | undefined>(undefined);
  const state = useCall("members", async (signal) => {
    const { members } = await client.listMembers({}, { signal });
    return members;
  });
  const member = changing.value;
  return (
    <Section name="members" title={texts.members}>
      <Loaded state={state} height="8rem">
        {(members) => (
          <ul class="rows">
            {members.map((each) => (
              <Row
                key={each.id}
                member={each}
                onChangeRole={() => {
                  changing.value = each;
                }}
                onLimit={() => {
                  limiting.value = each;
                }}
                onRemoved={state.reload}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {member !== undefined && (
        <Dialog
          title={texts.roleOf(member.name || member.email)}
          onClose={() => {
            changing.value = undefined;
          }}
        >
          <Form
            submit={texts.changeRole}
            onSubmit={async (value) => {
              await client.changeMemberRole({ id: member.id, role: chosen(value("role")) });
              changing.value = undefined;
              state.reload();
              if (member.userId === session.value?.userId) await loadSession();
            }}
          >
            <RoleField chosen={member.role} />
          </Form>
        </Dialog>
      )}
      {limiting.value !== undefined && (
        <LimitDialog
          member={limiting.value}
          onClose={() => {
            limiting.value = undefined;
          }}
          onChange={state.reload}
        />
      )}
    </Section>
  );
}

type RowProps = {
  readonly member: Member;
  readonly onChangeRole: () => void;
  readonly onLimit: () => void;
  readonly onRemoved: () => void;
};

function Row({ member, onChangeRole, onLimit, onRemoved }: RowProps) {
  const { people: texts } = allTexts();
  const { id, userId, email, name, role, websiteIds, scopes, createdAt } = member;
  const shownName = name || email;
  const isSelf = userId === session.value?.userId;
  // Only owners change owners.
  const mayChange = mayForAll("admin") && (role !== "owner" || session.value?.role === "owner");
  return (
    <li class="row" data-member={email}>
      <div class="row-main">
        <span class="row-name">
          {shownName} {isSelf && <span class="mark">{texts.you}</span>}
        </span>
        <span class="row-facts">
          <span>{email}</span>
          <span>{roleName(role)}</span>
          <span>
            {texts.since} <Time at={createdAt} />
          </span>
        </span>
        <ShownLimits websiteIds={websiteIds} scopes={scopes} />
      </div>
      {mayChange && (
        <div class="row-tools">
          <button type="button" class="button" onClick={onChangeRole}>
            {texts.changeRole}
            <span class="said"> {shownName}</span>
          </button>
          {role !== "owner" && (
            <button type="button" class="button" onClick={onLimit}>
              {texts.limit}
              <span class="said"> {shownName}</span>
            </button>
          )}
          {!isSelf && (
            <ConfirmButton
              label={texts.remove}
              about={shownName}
              title={texts.removeTitle(shownName)}
              text={texts.removeText}
              class="button button-bad"
              onConfirm={async () => {
                await client.removeMember({ id });
                onRemoved();
              }}
            />
          )}
        </div>
      )}
    </li>
  );
}
