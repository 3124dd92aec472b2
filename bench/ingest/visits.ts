import { randomBytes, randomUUID } from "node:crypto";

/** `tracker`: the flat form and ids of web/tracker; `sdk`: the track form of published SDKs, with UUIDs and figures of the connection. */
export type Sender = "tracker" | "sdk";

/** A request's worth of events of one browser kind. */
export type VisitBatch = { readonly userAgent: string; readonly events: object[] };

/**
 * Events as visitors of a website cause them: sessions of a few pages each, most left with a page_exit, some with custom events; one
 * session in eight comes by a campaign, one page view in four of an SDK has load times. Many sessions overlap.
 */
export class Visits {
  readonly #sender: Sender;
  readonly #random: () => number;
  readonly #open = new Map<string, Session[]>();

  constructor(sender: Sender, random: () => number) {
    this.#sender = sender;
    this.#random = random;
  }

  /** The next events, all at `atMs`, Unix ms. */
  next(count: number, atMs: number): VisitBatch {
    const userAgent = this.#pick(browsers);
    const sessions = this.#open.get(userAgent) ?? [];
    this.#open.set(userAgent, sessions);
    while (sessions.length < 200) sessions.push(this.#begin(atMs));
    const events = Array.from({ length: count }, () => {
      const place = Math.floor(this.#random() * sessions.length);
      const session = sessions[place] ?? this.#begin(atMs);
      const event = this.#step(session, atMs);
      if (session.pagesLeft <= 0 && !session.isOnPage) sessions.splice(place, 1, this.#begin(atMs));
      return event;
    });
    return { userAgent, events };
  }

  #begin(atMs: number): Session {
    const random = this.#random;
    return {
      anonymousId: this.#id(6),
      sessionId: this.#id(6),
      startedMs: atMs,
      pages: 0,
      pagesLeft: random() < 0.4 ? 1 : 2 + Math.floor(random() * 8),
      page: 0,
      isOnPage: false,
      screen: this.#pick(screens),
      viewport: `${360 + Math.floor(random() ** 2 * 1_600)}x${560 + Math.floor(random() ** 2 * 700)}`,
      place: this.#pick(places),
      referrer: random() < 0.45 ? "" : random() < 0.6 ? "https://www.google.com/" : this.#pick(referrers),
      campaign: random() < 0.125 ? this.#pick(campaigns) : undefined,
    };
  }

  #step(session: Session, atMs: number): object {
    const random = this.#random;
    if (!session.isOnPage) return this.#view(session, atMs);
    if (random() < 0.15) return this.#event(session, atMs, { ...this.#page(session), ...this.#pick(customEvents) });
    session.isOnPage = false;
    if (random() < 0.2) return session.pagesLeft > 0 ? this.#view(session, atMs) : this.#exit(session, atMs);
    return this.#exit(session, atMs);
  }

  #view(session: Session, atMs: number): object {
    const random = this.#random;
    const before = session.page;
    session.page = Math.floor(random() ** 3 * pages.length);
    session.isOnPage = true;
    session.pages += 1;
    session.pagesLeft -= 1;
    const inner = this.#sender === "tracker" ? "" : `https://shop.example${pages[before]?.path}`;
    return this.#event(session, atMs, {
      name: this.#sender === "tracker" ? "page_view" : "screen_view",
      ...this.#page(session),
      referrer: session.pages === 1 ? session.referrer : inner,
      ...session.campaign,
      ...(this.#sender === "sdk" && random() < 0.25
        ? { load_time: 300 + random() * 3_000, dom_ready_time: 200 + random() * 1_500, ttfb: 20 + random() * 500 }
        : {}),
    });
  }

  #exit(session: Session, atMs: number): object {
    const random = this.#random;
    return this.#event(session, atMs, {
      // The strict form requires the fields of a page view in every event.
      ...(this.#sender === "sdk" ? this.#page(session) : {}),
      name: "page_exit",
      time_on_page: Math.round(random() ** 3 * 3e5) / 1e3,
      scroll_depth: random() * 100,
      ...(this.#sender === "sdk" ? { interaction_count: Math.floor(random() * 20) } : {}),
    });
  }

  #page({ page, screen, viewport, place }: Session): object {
    return {
      title: pages[page]?.title,
      screen_resolution: screen,
      viewport_size: viewport,
      ...place,
      ...(this.#sender === "sdk" ? { referrer: "", connection_type: "wifi", rtt: 50, downlink: 10 } : {}),
    };
  }

  #event(session: Session, timestamp: number, more: object): object {
    const event = {
      eventId: this.#id(9),
      anonymousId: session.anonymousId,
      sessionId: session.sessionId,
      sessionStartTime: session.startedMs,
      timestamp,
      page_count: session.pages,
      path: pages[session.page]?.path,
      ...more,
    };
    return this.#sender === "sdk" ? { type: "track", payload: event } : event;
  }

  /** The tracker's ids are as long as web/tracker/visit.ts makes them, which runs in browsers only. */
  #id(bytes: number): string {
    return this.#sender === "sdk" ? randomUUID() : randomBytes(bytes).toString("base64");
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.#random() ** 2 * values.length)];
    if (value === undefined) throw new RangeError("there is nothing to pick from");
    return value;
  }
}

type Session = {
  readonly anonymousId: string;
  readonly sessionId: string;
  readonly startedMs: number;
  pages: number;
  pagesLeft: number;
  page: number;
  isOnPage: boolean;
  readonly screen: string;
  readonly viewport: string;
  readonly place: object;
  readonly referrer: string;
  readonly campaign: object | undefined;
};

const words = ["garden", "winter", "guide", "small", "repair", "coffee", "travel", "paper", "light", "studio", "river"];

const pages = [
  { path: "/", title: "Example Shop" },
  { path: "/pricing", title: "Pricing | Example Shop" },
  ...Array.from({ length: 600 }, (_, page) => {
    const text = [page % 11, Math.floor(page / 11) % 11, page % 7].map((word) => words[word]);
    const path = [`/blog/${text.join("-")}-${page}`, `/docs/${text[0]}/${page}`, `/products/${text[1]}/${page}`][
      page % 3
    ];
    return { path, title: `${text.join(" ")} ${page} | Example Shop` };
  }),
];

const screens = ["1920x1080", "390x844", "1536x864", "1366x768", "412x915", "2560x1440", "393x852", "1440x900"];

const places = [
  { timezone: "America/New_York", language: "en-US" },
  { timezone: "Europe/Berlin", language: "de-DE" },
  { timezone: "Europe/London", language: "en-GB" },
  { timezone: "Asia/Kolkata", language: "en-IN" },
  { timezone: "America/Sao_Paulo", language: "pt-BR" },
  { timezone: "Asia/Tokyo", language: "ja" },
  { timezone: "Europe/Paris", language: "fr" },
];

const referrers = [
  "https://duckduckgo.com/",
  "https://www.reddit.com/r/gardening/comments/1k2j3h4/which_tools/",
  "https://news.ycombinator.com/item?id=40000001",
  "https://t.co/Ab3dE5fGh7",
  "https://blog.example.org/2026/11/a-list-of-shops",
];

const campaigns = [
  { utm_source: "newsletter", utm_medium: "email", utm_campaign: "november_2026" },
  {
    utm_source: "google",
    utm_medium: "cpc",
    utm_campaign: "brand",
    utm_term: "example shop",
    utm_content: "variant_b",
  },
];

const customEvents = [
  { name: "add_to_cart", properties: { product: "garden-lamp-17", price: 49.9, currency: "EUR" } },
  { name: "signup", properties: { plan: "pro" } },
  { name: "newsletter_subscribed", properties: {} },
];

const chrome = (system: string, version: number, more = "") =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${more}Safari/537.36`;

const browsers = [
  chrome("Windows NT 10.0; Win64; x64", 141),
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  chrome("Linux; Android 10; K", 141, "Mobile "),
  chrome("Macintosh; Intel Mac OS X 10_15_7", 140),
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
  chrome("X11; Linux x86_64", 140),
];
