import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import {
  type PreviewRulesResponse,
  type Website,
  WebsiteService,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { may } from "../../../api/session.ts";
import { loadWebsites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../../ui/actionButton.tsx";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { SavedLine } from "../../../ui/savedLine.tsx";
import { Section } from "../../../ui/section.tsx";
import { lists, readRules, rulesOf } from "./ruleLists.ts";
import { RulesPreview } from "./rulesPreview.tsx";

const client = clientOf(WebsiteService);

/** What is excluded from the figures of a website, and what that would have excluded. */
export function RulesPage({ website }: { readonly website: Website }) {
  const { rules: texts } = allTexts();
  const preview = useSignal<PreviewRulesResponse | undefined>(undefined);
  return (
    <>
      <Section name="rules" title={texts.title} text={texts.text}>
        {may("update") ? (
          <RulesForm
            website={website}
            onPreview={(answer) => {
              preview.value = answer;
            }}
          />
        ) : (
          <Facts facts={lists.map((list) => [texts.lists[list], rulesOf(website)[list].join(", ")])} />
        )}
      </Section>
      {preview.value !== undefined && <RulesPreview preview={preview.value} />}
      <Section name="ownVisits" title={texts.ownVisits} text={texts.ownVisitsText}>
        <Facts facts={[[texts.ownVisitsLink, <OwnVisitsLink key="link" website={website} />]]} />
      </Section>
    </>
  );
}

function OwnVisitsLink({ website: { id, domain } }: { readonly website: Website }) {
  const link = `https://${domain}/?lookout-opt-out=${id}`;
  return (
    <span class="with-copy">
      <code class="mono">{link}</code>
      <CopyButton text={link} about={allTexts().rules.ownVisitsLink} />
    </span>
  );
}

type RulesFormProps = {
  readonly website: Website;
  readonly onPreview: (answer: PreviewRulesResponse | undefined) => void;
};

function RulesForm({ website, onPreview }: RulesFormProps) {
  const { rules: texts, settings } = allTexts();
  const isSaved = useSignal(false);
  const element = useRef<HTMLDivElement>(null);
  const { id } = website;
  const rules = rulesOf(website);
  const shown = () =>
    readRules((list) => element.current?.querySelector<HTMLTextAreaElement>(`[name="${list}"]`)?.value ?? "");
  return (
    <div
      ref={element}
      onInput={() => {
        isSaved.value = false;
        // It is about the rules before this change.
        onPreview(undefined);
      }}
    >
      <Form
        submit={settings.save}
        foot={
          <>
            <ActionButton onAct={async () => onPreview(await client.previewRules({ id, rules: shown() }))}>
              {texts.preview}
            </ActionButton>
            <SavedLine isSaved={isSaved.value} />
          </>
        }
        onSubmit={async (value) => {
          await client.updateWebsite({ id, rules: readRules(value) });
          await loadWebsites(true);
          isSaved.value = true;
        }}
      >
        {lists.map((list) => (
          <TextArea
            key={list}
            name={list}
            label={texts.lists[list]}
            hint={texts.hints[list]}
            value={rules[list].join("\n")}
            rows={Math.min(8, Math.max(2, rules[list].length + 1))}
          />
        ))}
      </Form>
    </div>
  );
}
