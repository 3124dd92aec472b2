import type { SeededRandom } from "./randomOf.ts";

type Weighted<T> = readonly (readonly [weight: number, value: T])[];

/** Names with their weights. */
type Weights = Readonly<Record<string, number>>;

type DemoEvent = {
  readonly name: string;
  /** Of the views of its page. */
  readonly share: number;
  readonly properties: (random: SeededRandom) => object;
};

type DemoPage = {
  readonly title: string;
  /** The paths of the pages that visitors open from it. */
  readonly next: Weights;
  readonly events: readonly DemoEvent[];
};

/** How many sessions begin in each hour, UTC. */
export const hourWeights = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 10, 11, 12, 11, 10, 9, 9, 10, 10, 8, 5, 3];

const plans: Weights = { free: 6, plus: 3, team: 1 };
const products: Weights = { "desk-lamp": 5, notebook: 3, "wall-clock": 2 };

const page = (title: string, next: Weights, events: readonly DemoEvent[] = []): DemoPage => ({
  title: `${title} | Demo shop`,
  next,
  events,
});

const pages: Readonly<Record<string, DemoPage>> = {
  "/": page("Home", { "/features": 4, "/pricing": 3, "/products/desk-lamp": 3, "/blog/a-good-desk": 1, "/docs": 1 }),
  "/pricing": page("Pricing", { "/sign-up": 4, "/features": 2, "/": 1 }),
  "/features": page("Features", { "/pricing": 4, "/products/desk-lamp": 2, "/docs": 1 }),
  "/products/desk-lamp": page("Desk lamp", { "/cart": 4, "/": 2, "/pricing": 1 }, [
    {
      name: "add_to_cart",
      share: 0.22,
      properties: (random) => ({ product: random.pickName(products), currency: "EUR" }),
    },
  ]),
  "/cart": page("Cart", { "/": 3, "/products/desk-lamp": 2 }, [
    {
      name: "purchase",
      share: 0.3,
      properties: (random) => ({ value: 20 + random.below(180), currency: "EUR", product: random.pickName(products) }),
    },
  ]),
  "/sign-up": page("Sign up", { "/docs/first-steps": 3, "/": 1 }, [
    { name: "signed_up", share: 0.35, properties: (random) => ({ plan: random.pickName(plans) }) },
  ]),
  "/docs": page("Documentation", { "/docs/first-steps": 4, "/pricing": 1 }),
  "/docs/first-steps": page("First steps", { "/docs": 3, "/pricing": 1 }, [
    { name: "guide_finished", share: 0.3, properties: () => ({}) },
  ]),
  "/blog/a-good-desk": page("A good desk", { "/blog/new-in-autumn": 3, "/": 3, "/products/desk-lamp": 1 }),
  "/blog/new-in-autumn": page("New in autumn", { "/products/desk-lamp": 3, "/": 2 }, [
    { name: "newsletter_subscribed", share: 0.08, properties: () => ({}) },
  ]),
};

export function pageAt(path: string): DemoPage {
  const found = pages[path];
  if (found === undefined) throw new RangeError(`the demo shop has no page ${path}`);
  return found;
}

/** The pages on which sessions begin. */
export const entries: Weights = {
  "/": 45,
  "/blog/a-good-desk": 12,
  "/products/desk-lamp": 12,
  "/blog/new-in-autumn": 10,
  "/docs": 8,
  "/pricing": 7,
  "/features": 4,
  "/docs/first-steps": 2,
};

/** What a page view is referred by. */
export const referrers: Weighted<string> = [
  [38, ""],
  [26, "https://www.google.com/"],
  [6, "https://duckduckgo.com/"],
  [5, "https://www.bing.com/"],
  [6, "https://news.ycombinator.com/"],
  [5, "https://www.reddit.com/"],
  [4, "https://github.com/"],
  [4, "https://chatgpt.com/"],
  [3, "https://t.co/"],
  [3, "https://www.linkedin.com/"],
];

/** Campaigns of a day; most sessions come by none. */
export function campaigns(isNewsletter: boolean): Weighted<object | undefined> {
  return [
    [isNewsletter ? 55 : 90, undefined],
    [isNewsletter ? 38 : 2, { utm_source: "newsletter", utm_medium: "email", utm_campaign: "new_in_autumn" }],
    [6, { utm_source: "google", utm_medium: "cpc", utm_campaign: "desk_lamps" }],
    [2, { utm_source: "mastodon", utm_medium: "social", utm_campaign: "launch" }],
  ];
}

export const devices: Weighted<Record<"browser" | "os" | "device" | "screen_resolution", string>> = [
  [28, { browser: "Chrome", os: "Windows", device: "desktop", screen_resolution: "1920x1080" }],
  [14, { browser: "Chrome", os: "macOS", device: "desktop", screen_resolution: "1440x900" }],
  [10, { browser: "Safari", os: "macOS", device: "desktop", screen_resolution: "1512x982" }],
  [8, { browser: "Firefox", os: "Linux", device: "desktop", screen_resolution: "1920x1080" }],
  [6, { browser: "Edge", os: "Windows", device: "desktop", screen_resolution: "1536x864" }],
  [18, { browser: "Mobile Safari", os: "iOS", device: "mobile", screen_resolution: "390x844" }],
  [14, { browser: "Chrome", os: "Android", device: "mobile", screen_resolution: "412x915" }],
  [2, { browser: "Mobile Safari", os: "iOS", device: "tablet", screen_resolution: "820x1180" }],
];

export const places: Weighted<Record<"country" | "region" | "city" | "language" | "timezone", string>> = [
  [26, { country: "DE", region: "Berlin", city: "Berlin", language: "de-DE", timezone: "Europe/Berlin" }],
  [12, { country: "DE", region: "Bavaria", city: "Munich", language: "de-DE", timezone: "Europe/Berlin" }],
  [
    16,
    { country: "US", region: "California", city: "San Francisco", language: "en-US", timezone: "America/Los_Angeles" },
  ],
  [9, { country: "US", region: "New York", city: "New York", language: "en-US", timezone: "America/New_York" }],
  [10, { country: "GB", region: "England", city: "London", language: "en-GB", timezone: "Europe/London" }],
  [7, { country: "FR", region: "Île-de-France", city: "Paris", language: "fr-FR", timezone: "Europe/Paris" }],
  [5, { country: "NL", region: "North Holland", city: "Amsterdam", language: "nl-NL", timezone: "Europe/Amsterdam" }],
  [5, { country: "AT", region: "Vienna", city: "Vienna", language: "de-AT", timezone: "Europe/Vienna" }],
  [4, { country: "CH", region: "Zurich", city: "Zurich", language: "de-CH", timezone: "Europe/Zurich" }],
  [3, { country: "IN", region: "Karnataka", city: "Bengaluru", language: "en-IN", timezone: "Asia/Kolkata" }],
  [3, { country: "BR", region: "São Paulo", city: "São Paulo", language: "pt-BR", timezone: "America/Sao_Paulo" }],
];

export const errors: Weighted<object> = [
  [
    5,
    {
      message: "Cannot read properties of undefined (reading 'price')",
      errorType: "TypeError",
      filename: "https://demo-shop.invalid/assets/cart.js",
      lineno: 118,
      colno: 22,
      stack: "TypeError: Cannot read properties of undefined (reading 'price')\n    at total (cart.js:118:22)",
    },
  ],
  [
    3,
    {
      message: "Failed to fetch",
      errorType: "TypeError",
      filename: "https://demo-shop.invalid/assets/search.js",
      lineno: 40,
      colno: 9,
      stack: "TypeError: Failed to fetch\n    at search (search.js:40:9)",
    },
  ],
];
