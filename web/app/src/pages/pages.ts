import type { ComponentType } from "preact";
import type { Texts } from "../texts/en.ts";

/** A page and what it needs. */
export type PageEntry = {
  /** Its code is loaded when it is opened. `start` is called before it is drawn as the first page of a visit. */
  readonly load: () => Promise<{ readonly default: ComponentType; readonly start?: () => void }>;
  /** The title in the browser's tab. */
  readonly title: (texts: Texts) => string;
  /** `session`: people have to sign in first. `anyone`: the page decides by itself. */
  readonly for: "session" | "anyone";
  /**
   * `website`: a page about a website, whose id is the second segment of the path (shell/websitePage.tsx). `person`: a page beside those of a website, whose
   * navigation stays.
   */
  readonly of?: "website" | "person";
  /** `settings`: its texts are in texts/settings, which are loaded with its code. */
  readonly texts?: "settings";
};

/**
 * Every page, by the first segment of its path; "" is the start page. The build reads the names, so that the server knows for
 * which paths to serve the app. A name must not be the first segment of an API path (test/web/pages.unit.test.ts).
 */
export const pages = {
  "": { load: () => import("./start.tsx"), title: (t) => t.app.name, for: "session" },
  "sign-in": { load: () => import("./signIn.tsx"), title: (t) => t.signIn.title, for: "anyone" },
  "forgotten-password": {
    load: () => import("./forgottenPassword.tsx"),
    title: (t) => t.forgottenPassword.title,
    for: "anyone",
  },
  "reset-password": { load: () => import("./resetPassword.tsx"), title: (t) => t.resetPassword.title, for: "anyone" },
  "choose-password": {
    load: () => import("./choosePassword.tsx"),
    title: (t) => t.resetPassword.title,
    for: "session",
    texts: "settings",
  },
  "first-sign-in": {
    load: () => import("./firstSignIn.tsx"),
    title: (t) => t.signIn.title,
    for: "anyone",
    texts: "settings",
  },
  invitation: { load: () => import("./invitation.tsx"), title: (t) => t.invitation.title, for: "anyone" },
  dashboard: {
    load: () => import("./dashboard/dashboard.tsx"),
    title: (t) => t.dashboard.title,
    for: "session",
    of: "website",
  },
  realtime: {
    load: () => import("./realtime/realtime.tsx"),
    title: (t) => t.navigation.realtime,
    for: "session",
    texts: "settings",
    of: "website",
  },
  uptime: {
    load: () => import("./uptime/uptime.tsx"),
    title: (t) => t.uptime.title,
    for: "session",
    texts: "settings",
    of: "website",
  },
  "status-pages": {
    load: () => import("./statusPages/statusPages.tsx"),
    title: (t) => t.statusPages.title,
    for: "session",
    texts: "settings",
    of: "website",
  },
  shared: { load: () => import("./dashboard/shared.tsx"), title: (t) => t.dashboard.title, for: "anyone" },
  links: { load: () => import("./links/links.tsx"), title: (t) => t.links.title, for: "session", of: "website" },
  settings: {
    load: () => import("./settings/settings.tsx"),
    title: (t) => t.navigation.settings,
    for: "session",
    texts: "settings",
    of: "website",
  },
  "new-website": {
    load: () => import("./newWebsite.tsx"),
    title: (t) => t.navigation.newWebsite,
    for: "session",
    texts: "settings",
    of: "person",
  },
  organization: {
    load: () => import("./organization/organization.tsx"),
    title: (t) => t.navigation.organization,
    for: "session",
    texts: "settings",
    of: "person",
  },
  account: {
    load: () => import("./account/account.tsx"),
    title: (t) => t.navigation.account,
    for: "session",
    texts: "settings",
    of: "person",
  },
} as const satisfies Readonly<Record<string, PageEntry>>;

export type PageName = keyof typeof pages;
