import type { ComponentType } from "preact";
import { may, mayForAll, session } from "../../api/session.ts";
import { place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { SubPages } from "../../shell/subPages.tsx";
import { useTitle } from "../../shell/useTitle.ts";
import { type AllTexts, allTexts } from "../../texts/settings/settingsTexts.ts";
import { NoPermission } from "../../ui/noPermission.tsx";
import { AuditPage } from "./audit/auditPage.tsx";
import { KeysPage } from "./keys/keysPage.tsx";
import { OrganizationPage } from "./organizationPage.tsx";
import { PeoplePage } from "./people/peoplePage.tsx";
import { WebsitesPage } from "./websitesPage.tsx";
import "../../styles/panels.css";
import "../../styles/settings.css";

type Part = {
  readonly text: (texts: AllTexts) => string;
  readonly Page: ComponentType;
  /** Whether the person's role has anything to see there. */
  readonly isShown: () => boolean;
};

/** The parts of the page, by the second segment of the path. */
const parts: Readonly<Record<string, Part>> = {
  "": { text: (t) => t.organization.title, Page: OrganizationPage, isShown: () => true },
  websites: { text: (t) => t.organization.websites, Page: WebsitesPage, isShown: () => may("read:data") },
  people: { text: (t) => t.people.title, Page: PeoplePage, isShown: () => mayForAll("read:data") },
  keys: { text: (t) => t.apiKeys.title, Page: KeysPage, isShown: () => may("admin") },
  audit: { text: (t) => t.audit.title, Page: AuditPage, isShown: () => may("admin") },
};

/** /organization/<part>: the organization that the session works in. */
export default function Organization() {
  const { organization } = allTexts();
  const name = place.value.segments[1] ?? "";
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  useTitle(part?.text(allTexts()) ?? organization.title);
  if (part === undefined) return <NotFound />;
  return (
    <div class="page">
      <h1>{part.text(allTexts())}</h1>
      <div class="settings-parts">
        <SubPages
          label={organization.parts}
          path={["organization"]}
          current={name}
          pages={Object.entries(parts)
            .filter(([, { isShown }]) => isShown())
            .map(([path, { text }]) => [path, text(allTexts())])}
        />
        <div class="settings">
          {part.isShown() ? <part.Page key={session.value?.organizationId} /> : <NoPermission />}
        </div>
      </div>
    </div>
  );
}
