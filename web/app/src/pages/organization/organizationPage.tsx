import { useSignal } from "@preact/signals";
import {
  type Organization,
  OrganizationService,
} from "../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../../api/client.ts";
import { loadSession, mayForAll, session } from "../../api/session.ts";
import { type CallState, useCall } from "../../api/useCall.ts";
import { goTo } from "../../router/router.ts";
import { roleName } from "../../texts/roleName.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";
import { ConfirmButton } from "../../ui/confirmButton.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SavedLine } from "../../ui/savedLine.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";

const client = clientOf(OrganizationService);

/** The organization's name, and the organizations of the person. */
export function OrganizationPage() {
  const { organization: texts } = allTexts();
  const state = useCall("organizations", async (signal) => {
    const { organizations } = await client.listOrganizations({}, { signal });
    return organizations;
  });
  return (
    <>
      {mayForAll("admin") && <Rename state={state} />}
      <Section name="organizations" title={texts.yours} text={texts.yoursText}>
        <Loaded state={state} height="4rem" empty={texts.none} isEmpty={(organizations) => organizations.length === 0}>
          {(organizations) => (
            <ul class="rows">
              {organizations.map((each) => (
                <Row key={each.id} organization={each} onChange={state.reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      {session.value?.role === "owner" && <Create />}
    </>
  );
}

function Rename({ state }: { readonly state: CallState<Organization[]> }) {
  const { organization: texts, settings } = allTexts();
  const isSaved = useSignal(false);
  const organizationId = session.value?.organizationId;
  return (
    <Section name="organization" title={texts.nameTitle}>
      <Loaded state={state} height="7rem">
        {(organizations) => (
          <div
            onInput={() => {
              isSaved.value = false;
            }}
          >
            <Form
              submit={settings.save}
              foot={<SavedLine isSaved={isSaved.value} />}
              onSubmit={async (value) => {
                await client.renameOrganization({ name: value("name").trim() });
                isSaved.value = true;
                state.reload();
              }}
            >
              <Field
                name="name"
                label={texts.name}
                value={organizations.find(({ id }) => id === organizationId)?.name ?? ""}
                maxLength={256}
              />
            </Form>
          </div>
        )}
      </Loaded>
    </Section>
  );
}

type RowProps = { readonly organization: Organization; readonly onChange: () => void };

function Row({ organization: { id, name, role, createdAt }, onChange }: RowProps) {
  const { organization: texts } = allTexts();
  const isCurrent = id === session.value?.organizationId;
  return (
    <li class="row" data-organization={id}>
      <div class="row-main">
        <span class="row-name">
          {name} {isCurrent && <span class="mark mark-good">{texts.current}</span>}
        </span>
        <span class="row-facts">
          <span>{roleName(role)}</span>
          <span>
            {texts.createdAt} <Time at={createdAt} />
          </span>
        </span>
      </div>
      <div class="row-tools">
        {!isCurrent && (
          <ActionButton
            about={name}
            onAct={async () => {
              await client.switchOrganization({ organizationId: id });
              await loadSession();
              goTo([]);
            }}
          >
            {texts.switch}
          </ActionButton>
        )}
        <ConfirmButton
          label={texts.leave}
          about={name}
          title={texts.leaveTitle(name)}
          text={texts.leaveText}
          class="button button-bad"
          onConfirm={async () => {
            await client.leaveOrganization({ organizationId: id });
            await loadSession();
            onChange();
          }}
        />
      </div>
    </li>
  );
}

function Create() {
  const { organization: texts } = allTexts();
  return (
    <Section name="newOrganization" title={texts.new} text={texts.newText}>
      <Form
        submit={texts.create}
        onSubmit={async (value) => {
          await client.createOrganization({ name: value("name").trim() });
          await loadSession();
          goTo([]);
        }}
      >
        <Field name="name" label={texts.name} maxLength={256} />
      </Form>
    </Section>
  );
}
