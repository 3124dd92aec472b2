import { errorList, eventNames, eventProperties, outgoingLinks } from "./eventLists.ts";
import type { PanelEntry } from "./panelTypes.ts";
import { audience, ends, views } from "./visitLists.ts";

/** The panels of the overview, in their order. A further one is an entry here; its texts are in texts/. */
export const panels: readonly PanelEntry[] = [
  {
    id: "sources",
    title: (t) => t.panels.sources,
    lists: [
      audience("traffic_sources", "referrer_group", (t) => t.panels.channels, { rowName: (t) => t.panels.channel }),
      audience("top_referrers", "referrer", (t) => t.panels.referrers, { rowName: (t) => t.fields.referrer }),
      audience("utm_campaigns", "utm_campaign", (t) => t.panels.campaigns, {
        rowName: (t) => t.fields.utm_campaign,
        isFirstWithGoal: true,
      }),
      audience("utm_sources", "utm_source", (t) => t.panels.campaignSources, { isFurther: true }),
      audience("utm_mediums", "utm_medium", (t) => t.panels.campaignMediums, { isFurther: true }),
      audience("utm_terms", "utm_term", (t) => t.more.campaignTerms, { isFurther: true }),
      audience("utm_content", "utm_content", (t) => t.more.campaignContents, { isFurther: true }),
    ],
  },
  {
    id: "pages",
    title: (t) => t.panels.pages,
    lists: [
      views("top_pages", (t) => t.panels.topPages, { carriesGoal: true }),
      ends("entry_pages", "entry_page", (t) => t.panels.entryPages),
      ends("exit_pages", "exit_page", (t) => t.panels.exitPages),
      views("not_found_pages", (t) => t.panels.notFound, { moreIs: "worse" }),
    ],
  },
  {
    id: "places",
    title: (t) => t.panels.places,
    lists: [
      audience("countries", "country", (t) => t.panels.countries, {
        rowName: (t) => t.panels.country,
        visitsType: "sessions_by_country",
      }),
      audience("regions", "region", (t) => t.panels.regions, { rowName: (t) => t.fields.region }),
      audience("cities", "city", (t) => t.panels.cities, { rowName: (t) => t.fields.city }),
      audience("languages", "language", (t) => t.panels.languages, { rowName: (t) => t.panels.language }),
    ],
    hasMap: true,
  },
  {
    id: "devices",
    title: (t) => t.panels.devices,
    lists: [
      audience("browsers", "browser_name", (t) => t.panels.browsers, {
        rowName: (t) => t.fields.browser_name,
        visitsType: "sessions_by_browser",
      }),
      audience("operating_systems", "os_name", (t) => t.panels.systems, { rowName: (t) => t.fields.os_name }),
      audience("device_types", "device_type", (t) => t.panels.deviceTypes, {
        rowName: (t) => t.panels.deviceType,
        visitsType: "sessions_by_device",
      }),
      audience("screen_resolutions", "screen_resolution", (t) => t.panels.screens, {
        rowName: (t) => t.fields.screen_resolution,
      }),
    ],
  },
  {
    id: "events",
    title: (t) => t.panels.events,
    lists: [eventNames, eventProperties, outgoingLinks],
  },
  {
    id: "errors",
    title: (t) => t.more.errors,
    lists: [
      errorList("error_types", "message", (t) => t.more.errorMessages),
      errorList("errors_by_type", "error_type", (t) => t.more.errorTypes),
      errorList("errors_by_page", "path", (t) => t.more.errorPages),
    ],
  },
];
