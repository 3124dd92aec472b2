import { useEffect } from "preact/hooks";
import { WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../api/client.ts";
import { mayForAll } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import FirstEvent from "../firstEvent/firstEvent.tsx";
import { goTo, hrefTo, place } from "../router/router.ts";
import { WaitingPage } from "../shell/waitingPage.tsx";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Checkbox } from "../ui/fields.tsx";
import { Field, Form } from "../ui/form.tsx";
import { NoPermission } from "../ui/noPermission.tsx";
import { Section } from "../ui/section.tsx";
import { deviceZone } from "../ui/time.tsx";
import { ZoneField } from "../ui/zoneField.tsx";

const client = clientOf(WebsiteService);

/** /new-website: creates a website, then shows how to count it and waits for its first event. Its id is in the address, so that a reload keeps it. */
export default function NewWebsite() {
  const { newWebsite, websiteSettings } = allTexts();
  const madeId = place.value.query.get("website");
  useEffect(() => {
    if (madeId !== null) void loadWebsites();
  }, [madeId]);
  if (!mayForAll("admin"))
    return (
      <div class="settings">
        <h1>{newWebsite.title}</h1>
        <NoPermission />
      </div>
    );
  const state = websites.value;
  const website = state.kind === "loaded" ? state.websites.find(({ id }) => id === madeId) : undefined;
  if (madeId !== null && state.kind === "loading") return <WaitingPage />;
  if (website !== undefined)
    return (
      <div class="settings">
        <h1>{newWebsite.made(website.name)}</h1>
        <FirstEvent website={website} onArrived={() => goTo(["dashboard", website.id], { replace: true })} />
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
      <Section name="newWebsite" title={newWebsite.heading} text={newWebsite.text}>
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
            if (created !== undefined)
              goTo(["new-website"], { query: new URLSearchParams({ website: created.id }), replace: true });
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
