import { useSignal } from "@preact/signals";
import { type Website, WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../api/client.ts";
import { may } from "../api/session.ts";
import { loadWebsites } from "../api/websites.ts";
import FirstEvent from "../firstEvent/firstEvent.tsx";
import { hrefTo } from "../router/router.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Checkbox } from "../ui/fields.tsx";
import { Field, Form } from "../ui/form.tsx";
import { NoPermission } from "../ui/noPermission.tsx";
import { Section } from "../ui/section.tsx";
import { deviceZone } from "../ui/time.tsx";
import { ZoneField } from "../ui/zoneField.tsx";

const client = clientOf(WebsiteService);

/** /new-website: creates a website, then shows how to count it and waits for its first event. */
export default function NewWebsite() {
  const { newWebsite, websiteSettings } = allTexts();
  const made = useSignal<Website | undefined>(undefined);
  if (!may("admin"))
    return (
      <div class="settings">
        <h1>{newWebsite.title}</h1>
        <NoPermission />
      </div>
    );
  const website = made.value;
  if (website !== undefined)
    return (
      <div class="settings">
        <h1>{newWebsite.made(website.name)}</h1>
        <FirstEvent website={website} onArrived={() => void loadWebsites(true)} />
        <div>
          <a class="button" href={hrefTo(["dashboard", website.id])}>
            {newWebsite.toOverview}
          </a>
        </div>
      </div>
    );
  return (
    <div class="settings">
      <h1>{newWebsite.title}</h1>
      <Section name="newWebsite" isBeside title={newWebsite.heading} text={newWebsite.text}>
        <Form
          submit={newWebsite.submit}
          onSubmit={async (value) => {
            const name = value("name").trim();
            const domain = value("domain").trim();
            const { website: created } = await client.createWebsite({
              name: name === "" ? domain : name,
              domain,
              timezone: value("timezone"),
              publicAccess: value("publicAccess") !== "",
            });
            await loadWebsites(true);
            made.value = created;
          }}
        >
          <Field
            name="domain"
            label={websiteSettings.domain}
            hint={websiteSettings.domainHint}
            maxLength={253}
            autoFocus
          />
          <Field name="name" label={websiteSettings.name} hint={newWebsite.nameHint} maxLength={256} isOptional />
          <ZoneField zone={deviceZone()} />
          <Checkbox name="publicAccess" label={websiteSettings.publicAccess} />
        </Form>
      </Section>
    </div>
  );
}
