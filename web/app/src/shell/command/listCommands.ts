import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may, mayForAll, signOut } from "../../api/session.ts";
import { chooseTheme, themes } from "../../preferences/theme.ts";
import { goTo, place } from "../../router/router.ts";
import { type Language, languages } from "../../texts/languages.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { chooseLanguage } from "../../texts/texts.ts";
import { segmentsOf, shownEntries } from "../navigationEntries.ts";
import type { Command, CommandGroup } from "./command.ts";

/** The commands that need no call: websites, pages of the current website, settings and actions. */
export function listCommands(websites: readonly Website[], current: Website | undefined): Command[] {
  return [
    ...websites.map(
      (website): Command => ({
        ...leadsTo("websites", website.name, ["dashboard", website.id]),
        tile: website.name,
        ...(website.domain === website.name ? {} : { hint: website.domain }),
      }),
    ),
    ...(current === undefined ? [] : pagesOf(current)),
    ...settings(),
    ...actions(current),
  ];
}

/** A command that leads to a place. */
export function leadsTo(group: CommandGroup, text: string, segments: readonly string[]): Command {
  return { id: `/${segments.join("/")}`, group, text, run: () => goTo(segments) };
}

function pagesOf({ id, name }: Website): Command[] {
  const { websiteSettings, ownGoals, firstEvent, retention, rules, sharing, data, uptime } = allTexts();
  const of = (command: Command): Command => ({ ...command, hint: name });
  return [
    ...shownEntries().map((entry) => leadsTo("pages", entry.name(allTexts()), segmentsOf(entry, id))),
    aiSystems(id),
    ...(may("read:uptime")
      ? [
          leadsTo("settings", uptime.maintenance, ["uptime", id, "maintenance"]),
          leadsTo("settings", uptime.channels, ["uptime", id, "channels"]),
        ]
      : []),
    ...(may("update")
      ? [
          leadsTo("settings", websiteSettings.title, ["settings", id]),
          leadsTo("settings", ownGoals.title, ["settings", id, "goals"]),
          leadsTo("settings", firstEvent.name, ["settings", id, "install"]),
          leadsTo("settings", rules.title, ["settings", id, "rules"]),
          leadsTo("settings", sharing.title, ["settings", id, "sharing"]),
          leadsTo("settings", retention.title, ["settings", id, "retention"]),
          leadsTo("settings", data.title, ["settings", id, "data"]),
        ]
      : []),
  ].map(of);
}

/** The list is on the overview, whose range and filters stay if it is on screen. */
function aiSystems(websiteId: string): Command {
  const run = () => {
    const [page, shown] = place.value.segments;
    const query = new URLSearchParams(page === "dashboard" && shown === websiteId ? place.value.query : undefined);
    query.set("open", "ai_systems");
    goTo(["dashboard", websiteId], { query });
  };
  return { id: `/dashboard/${websiteId}?open=ai_systems`, group: "pages", text: allTexts().excluded.askAi, run };
}

function settings(): Command[] {
  const { navigation, organization, people, apiKeys, audit } = allTexts();
  return [
    leadsTo("settings", navigation.account, ["account"]),
    leadsTo("settings", navigation.organization, ["organization"]),
    ...(may("read:data") ? [leadsTo("settings", organization.websites, ["organization", "websites"])] : []),
    ...(mayForAll("read:data") ? [leadsTo("settings", people.title, ["organization", "people"])] : []),
    ...(may("admin")
      ? [
          leadsTo("settings", apiKeys.title, ["organization", "keys"]),
          leadsTo("settings", audit.title, ["organization", "audit"]),
        ]
      : []),
  ];
}

function actions(current: Website | undefined): Command[] {
  const { navigation, websites, account, uptime, links } = allTexts();
  const of = (command: Command): Command => (current === undefined ? command : { ...command, hint: current.name });
  return [
    leadsTo("actions", websites.all, []),
    ...(mayForAll("admin") ? [leadsTo("actions", navigation.newWebsite, ["new-website"])] : []),
    ...(current !== undefined && may("write:uptime")
      ? [of(leadsTo("actions", uptime.newMonitor, ["uptime", current.id, "new"]))]
      : []),
    ...(current !== undefined && may("write:links")
      ? [of(leadsTo("actions", links.newLink, ["links", current.id, "new"]))]
      : []),
    ...themes.map(
      (name): Command => ({
        id: `theme ${name}`,
        group: "actions",
        text: `${account.theme}: ${account.themes[name]}`,
        run: () => chooseTheme(name),
      }),
    ),
    ...(Object.keys(languages) as Language[]).map(
      (name): Command => ({
        id: `language ${name}`,
        group: "actions",
        text: `${account.language}: ${languages[name].name}`,
        run: () => void chooseLanguage(name),
      }),
    ),
    { id: "sign out", group: "actions", text: account.signOut, run: () => void leave() },
  ];
}

async function leave(): Promise<void> {
  await signOut();
  goTo(["sign-in"]);
}
