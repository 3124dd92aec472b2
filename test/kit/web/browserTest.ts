import type { Browser, Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import type { Role } from "../../../src/call/caller.ts";
import { createPerson, type Browser as Session, signedIn } from "../calls/person.ts";
import type { TestWebsite } from "../calls/website.ts";
import { websiteTest } from "../calls/websiteTest.ts";
import { type AppPageOptions, openAppPage, setSessionCookie } from "../servers/appPage.ts";
import { closeTabs, startBrowser } from "../servers/chromium.ts";

export type TabOptions = AppPageOptions & {
  /** Its first page, such as `/account`. Without one the tab is empty. */
  readonly path?: string;
  /** A member of this website's organization is signed in: the same person in all tabs of a file with this role. */
  readonly of?: Pick<TestWebsite, "organizationId"> | undefined;
  /** By default `owner`. */
  readonly role?: Role;
  /** The session to use instead of that of a new member. */
  readonly session?: Pick<Session, "cookie">;
  /** Statuses of answers that are wrong too, such as 403. */
  readonly wrongStatuses?: readonly number[];
  /** What is wrong in it is left out. */
  readonly isUnchecked?: boolean;
  /** The server, by default that of all tests. */
  readonly baseUrl?: string;
};

/** What the test that runs has opened. */
type Tabs = {
  readonly browser: Browser;
  readonly sessions: Map<string, Promise<Session>>;
  readonly problems: string[];
  areProblemsTaken: boolean;
};

let running: Tabs | undefined;

/**
 * A test that opens tabs with `openTab`, in a browser that all tests of its file share. Something wrong in one of them fails the test: an error in
 * the console, or a request to another origin. A test that takes `problems` looks at them itself. Tests in a browser are not concurrent.
 */
export const browserTest = websiteTest
  // Vitest reads the names of what a fixture needs from this pattern.
  // biome-ignore lint/correctness/noEmptyPattern: nothing is needed
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await startBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: nothing is needed
  .extend("sessions", { scope: "file" }, ({}) => new Map<string, Promise<Session>>())
  .extend("tabs", { auto: true }, async ({ browser, sessions }, { onCleanup }) => {
    if (running !== undefined) throw new Error("tests in a browser are not concurrent");
    const tabs: Tabs = { browser, sessions, problems: [], areProblemsTaken: false };
    running = tabs;
    onCleanup(async () => {
      running = undefined;
      await closeTabs(browser);
      if (!tabs.areProblemsTaken) expect(tabs.problems, "what is wrong in the tabs of this test").toEqual([]);
    });
    return tabs;
  })
  .extend("problems", ({ tabs }) => {
    tabs.areProblemsTaken = true;
    return tabs.problems;
  });

/** Opens a tab with cookies of its own, which is closed after the `browserTest` that runs. Nobody is signed in by default. */
export async function openTab(options: TabOptions = {}): Promise<Page> {
  if (running === undefined) throw new Error("only a browserTest can open a tab");
  const { path, of, role, session, wrongStatuses = [], baseUrl = inject("lookout").baseUrl } = options;
  const problems = options.isUnchecked ? [] : running.problems;
  const { page } = await openAppPage(running.browser, baseUrl, options, problems);
  page.on("response", (response) => {
    if (wrongStatuses.includes(response.status())) problems.push(`${response.status()} of ${response.url()}`);
  });
  const person = session ?? (of && (await sessionOf(running.sessions, of.organizationId, role ?? "owner")));
  if (person !== undefined) await setSessionCookie(page, person.cookie());
  if (path !== undefined) await page.goto(baseUrl + path);
  return page;
}

function sessionOf(sessions: Tabs["sessions"], organizationId: string, role: Role): Promise<Session> {
  const name = `${organizationId} ${role}`;
  const session = sessions.get(name) ?? createPerson({ organizationId, role }).then((person) => signedIn(person));
  sessions.set(name, session);
  return session;
}
