import type { ComponentType } from "preact";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may } from "../../api/session.ts";
import { place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { SubPages } from "../../shell/subPages.tsx";
import { useTitle } from "../../shell/useTitle.ts";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { type AllTexts, allTexts } from "../../texts/settings/settingsTexts.ts";
import { DataPage } from "./data/dataPage.tsx";
import { GeneralPage } from "./generalPage.tsx";
import { GoalsPage } from "./goals/goalsPage.tsx";
import { InstallPage } from "./installPage.tsx";
import { PrivacyPage } from "./privacy/privacyPage.tsx";
import { RetentionPage } from "./retention/retentionPage.tsx";
import { RulesPage } from "./rules/rulesPage.tsx";
import { SharingPage } from "./sharing/sharingPage.tsx";
import "../../styles/panels.css";
import "../../styles/settings.css";

type SettingsPage = {
  readonly text: (texts: AllTexts) => string;
  readonly Page: ComponentType<{ readonly website: Website }>;
  /** Whether the person's role has anything to see there. */
  readonly isShown: () => boolean;
};

/** The parts of a website's settings, by the third segment of the path. */
const settingsPages: Readonly<Record<string, SettingsPage>> = {
  "": { text: (t) => t.websiteSettings.title, Page: GeneralPage, isShown: () => may("read:data") },
  goals: { text: (t) => t.ownGoals.title, Page: GoalsPage, isShown: () => may("read:data") },
  install: { text: (t) => t.firstEvent.name, Page: InstallPage, isShown: () => may("read:data") },
  rules: { text: (t) => t.rules.title, Page: RulesPage, isShown: () => may("read:data") },
  sharing: { text: (t) => t.sharing.title, Page: SharingPage, isShown: () => may("update") },
  retention: { text: (t) => t.retention.title, Page: RetentionPage, isShown: () => may("read:data") },
  privacy: { text: (t) => t.privacy.title, Page: PrivacyPage, isShown: () => may("read:data") },
  data: { text: (t) => t.data.title, Page: DataPage, isShown: () => may("export:data") || may("delete:data") },
};

/** /settings/<website>/<part>: the settings of a website. */
export default function Settings() {
  return <WebsitePage>{(website) => <Parts key={website.id} website={website} />}</WebsitePage>;
}

function Parts({ website }: { readonly website: Website }) {
  const { settings } = allTexts();
  const part = place.value.segments[2] ?? "";
  const shown = Object.hasOwn(settingsPages, part) ? settingsPages[part] : undefined;
  useTitle(`${shown?.text(allTexts()) ?? settings.title} · ${website.name}`);
  if (shown === undefined || !shown.isShown()) return <NotFound />;
  return (
    <div class="page">
      <h1>{settings.of(website.name)}</h1>
      <div class="settings-parts">
        <SubPages
          label={settings.parts}
          path={["settings", website.id]}
          current={part}
          pages={Object.entries(settingsPages)
            .filter(([, { isShown }]) => isShown())
            .map(([name, { text }]) => [name, text(allTexts())])}
        />
        <div class="settings">
          <shown.Page website={website} />
        </div>
      </div>
    </div>
  );
}
