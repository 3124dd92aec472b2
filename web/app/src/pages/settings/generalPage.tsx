import { type Website, WebsiteService } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useTrackingStatus } from "../../api/trackingStatus.ts";
import { loadWebsites } from "../../api/websites.ts";
import { goTo, hrefTo } from "../../router/router.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { t } from "../../texts/texts.ts";
import { CopyButton } from "../../ui/copyButton.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { Field } from "../../ui/form.tsx";
import { SavedForm } from "../../ui/savedForm.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { TypedConfirmButton } from "../../ui/typedConfirmButton.tsx";
import { ZoneField } from "../../ui/zoneField.tsx";

const client = clientOf(WebsiteService);

/** Name, domain, time zone, public access and identifiers, and the deletion of the website. */
export function GeneralPage({ website }: { readonly website: Website }) {
  return (
    <>
      <General website={website} />
      <Paths website={website} />
      <Identifiers website={website} />
      {may("delete") && <Delete website={website} />}
    </>
  );
}

function General({ website }: { readonly website: Website }) {
  const { websiteSettings: texts, settings } = allTexts();
  const { id, name, domain, timezone, publicAccess } = website;
  const tags = (website.tags?.names ?? []).join(", ");
  return (
    <Section name="general" title={texts.title}>
      {may("update") ? (
        <SavedForm
          onSave={async (value) => {
            await client.updateWebsite({
              id,
              name: value("name").trim(),
              domain: value("domain").trim(),
              timezone: value("timezone"),
              publicAccess: value("publicAccess") !== "",
              tags: { names: readTags(value("tags")) },
            });
            await loadWebsites(true);
          }}
        >
          <Field name="name" label={texts.name} value={name} maxLength={256} />
          <Field name="domain" label={texts.domain} hint={texts.domainHint} value={domain} maxLength={253} />
          <ZoneField zone={timezone} />
          <Field name="tags" label={texts.tags} hint={texts.tagsHint} value={tags} isOptional />
          <div>
            <Checkbox name="publicAccess" label={texts.publicAccess} isChecked={publicAccess} />
            <p class="field-hint">{texts.publicAccessHint}</p>
            {publicAccess && <PublicAddress websiteId={id} />}
          </div>
        </SavedForm>
      ) : (
        <Facts
          facts={[
            [texts.name, name],
            [texts.domain, domain],
            [texts.timezone, timezone],
            [texts.tags, tags],
            [texts.publicAccess, publicAccess ? settings.yes : settings.no],
          ]}
        />
      )}
    </Section>
  );
}

/** Where anyone sees the figures of a public website. */
function PublicAddress({ websiteId }: { readonly websiteId: string }) {
  const path = hrefTo(["shared", websiteId]);
  const { href } = new URL(path, location.href);
  const name = t().shared.address;
  return (
    <p class="field-hint">
      {name}: <a href={path}>{href}</a> <CopyButton text={href} about={name} />
    </p>
  );
}

/** Tags are separated by commas. */
function readTags(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** How the paths of new events are stored. */
function Paths({ website: { id, paths } }: { readonly website: Website }) {
  const { websiteSettings: texts, settings } = allTexts();
  const isRemoved = paths?.trailingSlash === "remove";
  const names = (paths?.queryParameters ?? []).join(", ");
  return (
    <Section name="paths" title={texts.paths} text={texts.pathsText}>
      {may("update") ? (
        <SavedForm
          onSave={async (value) => {
            const trailingSlash = value("trailingSlash") === "" ? "keep" : "remove";
            const queryParameters = value("queryParameters")
              .split(/[\s,]+/)
              .filter((name) => name !== "");
            await client.updateWebsite({ id, paths: { trailingSlash, queryParameters } });
            await loadWebsites(true);
          }}
        >
          <Checkbox name="trailingSlash" label={texts.trailingSlash} isChecked={isRemoved} />
          <Field
            name="queryParameters"
            label={texts.queryParameters}
            hint={texts.queryParametersHint}
            value={names}
            isOptional
          />
        </SavedForm>
      ) : (
        <Facts
          facts={[
            [texts.trailingSlash, isRemoved ? settings.yes : settings.no],
            [texts.queryParameters, names],
          ]}
        />
      )}
    </Section>
  );
}

function Identifiers({ website }: { readonly website: Website }) {
  const { websiteSettings: texts } = allTexts();
  const { id, clientId, createdAt } = website;
  const status = useTrackingStatus(website);
  const statuses: Readonly<Record<string, string>> = texts.statuses;
  const withCopy = (text: string, label: string) => (
    <span class="with-copy">
      <code class="mono">{text}</code>
      <CopyButton text={text} about={label} />
    </span>
  );
  return (
    <Section name="identifiers" title={texts.identifiers} text={texts.identifiersText}>
      <Facts
        facts={[
          [texts.id, withCopy(id, texts.id)],
          [texts.clientId, withCopy(clientId, texts.clientId)],
          [texts.status, status === undefined ? allTexts().app.loading : (statuses[status] ?? status)],
          [texts.createdAt, <Time at={createdAt} />],
        ]}
      />
    </Section>
  );
}

function Delete({ website }: { readonly website: Website }) {
  const { websiteSettings: texts } = allTexts();
  return (
    <Section name="delete" isBad title={texts.delete} text={texts.deleteText}>
      <div>
        <TypedConfirmButton
          label={texts.delete}
          title={texts.deleteTitle(website.name)}
          text={texts.deleteText}
          expected={website.name}
          onConfirm={async () => {
            await client.deleteWebsite({ id: website.id });
            await loadWebsites(true);
            goTo(["organization", "websites"], { replace: true });
          }}
        />
      </div>
    </Section>
  );
}
