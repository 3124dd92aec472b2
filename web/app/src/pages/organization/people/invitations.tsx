import { useSignal } from "@preact/signals";
import {
  type CreateInvitationResponse,
  OrganizationService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import type { Role } from "../../../../../../packages/client-js/src/valueSets.ts";
import { chosen } from "../../../api/chosen.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { roleName } from "../../../texts/roleName.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Field, Form } from "../../../ui/form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { chosenLimits, LimitFields } from "./limitFields.tsx";
import { RoleField } from "./roleField.tsx";
import { ShownLimits } from "./shownLimits.tsx";

const client = clientOf(OrganizationService);

/** Invites people, and lists the invitations that are open or have expired. */
export function Invitations() {
  const { people: texts } = allTexts();
  const made = useSignal<CreateInvitationResponse | undefined>(undefined);
  const role = useSignal<Role>("member");
  const state = useCall("invitations", async (signal) => {
    const { invitations } = await client.listInvitations({}, { signal });
    return invitations;
  });
  return (
    <>
      <Section name="invite" title={texts.invite} text={texts.inviteText}>
        {/* The key empties its fields after each invitation. */}
        <Form
          key={made.value?.invitation?.id ?? ""}
          submit={texts.sendInvitation}
          onSubmit={async (value, all) => {
            const invited = chosen<Role>(value("role"));
            const limits = chosenLimits(all, invited);
            made.value = await client.createInvitation({ email: value("email").trim(), role: invited, ...limits });
            role.value = "member";
            state.reload();
          }}
        >
          <Field name="email" label={texts.email} maxLength={254} />
          <RoleField
            chosen="member"
            onChange={(chosenRole) => {
              role.value = chosenRole;
            }}
          />
          {role.value !== "owner" && <LimitFields role={role.value} />}
        </Form>
        {made.value !== undefined && <Made answer={made.value} />}
      </Section>
      <Section name="invitations" title={texts.invitations}>
        <Loaded state={state} height="4rem" empty={texts.noInvitations} isEmpty={(found) => found.length === 0}>
          {(found) => (
            <ul class="rows">
              {found.map(({ id, email, role: invitedAs, websiteIds, scopes, createdAt, expiresAt }) => (
                <li key={id} class="row" data-invitation={email}>
                  <div class="row-main">
                    <span class="row-name">
                      {email} {Date.parse(expiresAt) < Date.now() && <span class="mark mark-bad">{texts.expired}</span>}
                    </span>
                    <span class="row-facts">
                      <span>{roleName(invitedAs)}</span>
                      <span>
                        {texts.sent} <Time at={createdAt} />
                      </span>
                      <span>
                        {texts.until} <Time at={expiresAt} />
                      </span>
                    </span>
                    <ShownLimits websiteIds={websiteIds} scopes={scopes} />
                  </div>
                  <div class="row-tools">
                    <ConfirmButton
                      label={texts.revoke}
                      about={email}
                      title={texts.revokeTitle(email)}
                      text={texts.revokeText}
                      class="button button-bad"
                      onConfirm={async () => {
                        await client.revokeInvitation({ id });
                        made.value = undefined;
                        state.reload();
                      }}
                    />
                  </div>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
    </>
  );
}

/** The result of an invitation: mailed, or a link to hand over, which is shown only once. */
function Made({ answer: { invitation, mailed, link } }: { readonly answer: CreateInvitationResponse }) {
  const { people: texts } = allTexts();
  return (
    <div class="notice stack" role="status">
      <p>{mailed ? texts.mailed(invitation?.email ?? "") : texts.handOver}</p>
      {link !== undefined && (
        <p class="with-copy">
          <code class="mono">{link}</code>
          <CopyButton text={link} about={texts.link} />
        </p>
      )}
    </div>
  );
}
