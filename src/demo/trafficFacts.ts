import type { SeededRandom } from "./randomOf.ts";

type Weighted<T> = readonly (readonly [weight: number, value: T])[];

type DemoEvent = {
  readonly name: string;
  /** Of the views of its page. */
  readonly share: number;
  readonly properties: (random: SeededRandom) => object;
};

type DemoPage = {
  readonly path: string;
  readonly title: string;
  readonly events: readonly DemoEvent[];
  next: Weighted<DemoPage>;
};

/** How many sessions begin in each hour, UTC. */
export const hourWeights = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 10, 11, 12, 11, 10, 9, 9, 10, 10, 8, 5, 3];

const page = (path: string, title: string, events: readonly DemoEvent[] = []): DemoPage => ({
  path,
  title: `${title} | Demo shop`,
  events,
  next: [],
});

const plans: Weighted<string> = [
  [6, "free"],
  [3, "plus"],
  [1, "team"],
];
const products: Weighted<string> = [
  [5, "desk-lamp"],
  [3, "notebook"],
  [2, "wall-clock"],
];

const home = page("/", "Home");
const pricing = page("/pricing", "Pricing");
const features = page("/features", "Features");
const product = page("/products/desk-lamp", "Desk lamp", [
  { name: "add_to_cart", share: 0.22, properties: (random) => ({ product: random.pick(products), currency: "EUR" }) },
]);
const cart = page("/cart", "Cart", [
  {
    name: "purchase",
    share: 0.3,
    properties: (random) => ({ value: 20 + random.below(180), currency: "EUR", product: random.pick(products) }),
  },
]);
const signUp = page("/sign-up", "Sign up", [
  { name: "signed_up", share: 0.35, properties: (random) => ({ plan: random.pick(plans) }) },
]);
const docs = page("/docs", "Documentation");
const guide = page("/docs/first-steps", "First steps", [
  { name: "guide_finished", share: 0.3, properties: () => ({}) },
]);
const blog = page("/blog/a-good-desk", "A good desk");
const news = page("/blog/new-in-autumn", "New in autumn", [
  { name: "newsletter_subscribed", share: 0.08, properties: () => ({}) },
]);

home.next = [
  [4, features],
  [3, pricing],
  [3, product],
  [1, blog],
  [1, docs],
];
pricing.next = [
  [4, signUp],
  [2, features],
  [1, home],
];
features.next = [
  [4, pricing],
  [2, product],
  [1, docs],
];
product.next = [
  [4, cart],
  [2, home],
  [1, pricing],
];
cart.next = [
  [3, home],
  [2, product],
];
signUp.next = [
  [3, guide],
  [1, home],
];
docs.next = [
  [4, guide],
  [1, pricing],
];
guide.next = [
  [3, docs],
  [1, pricing],
];
blog.next = [
  [3, news],
  [3, home],
  [1, product],
];
news.next = [
  [3, product],
  [2, home],
];

export const pages: { readonly entries: Weighted<DemoPage> } = {
  entries: [
    [45, home],
    [12, blog],
    [12, product],
    [10, news],
    [8, docs],
    [7, pricing],
    [4, features],
    [2, guide],
  ],
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

type Campaign = { readonly utm_source: string; readonly utm_medium: string; readonly utm_campaign: string };

/** Campaigns of a day; most sessions come by none. */
export function campaigns(isNewsletter: boolean): Weighted<Campaign | undefined> {
  return [
    [isNewsletter ? 55 : 90, undefined],
    [isNewsletter ? 38 : 2, { utm_source: "newsletter", utm_medium: "email", utm_campaign: "new_in_autumn" }],
    [6, { utm_source: "google", utm_medium: "cpc", utm_campaign: "desk_lamps" }],
    [2, { utm_source: "mastodon", utm_medium: "social", utm_campaign: "launch" }],
  ];
}

type Device = {
  readonly browser: string;
  readonly os: string;
  readonly device: string;
  readonly screen_resolution: string;
};

export const devices: Weighted<Device> = [
  [28, { browser: "Chrome", os: "Windows", device: "desktop", screen_resolution: "1920x1080" }],
  [14, { browser: "Chrome", os: "macOS", device: "desktop", screen_resolution: "1440x900" }],
  [10, { browser: "Safari", os: "macOS", device: "desktop", screen_resolution: "1512x982" }],
  [8, { browser: "Firefox", os: "Linux", device: "desktop", screen_resolution: "1920x1080" }],
  [6, { browser: "Edge", os: "Windows", device: "desktop", screen_resolution: "1536x864" }],
  [18, { browser: "Mobile Safari", os: "iOS", device: "mobile", screen_resolution: "390x844" }],
  [14, { browser: "Chrome", os: "Android", device: "mobile", screen_resolution: "412x915" }],
  [2, { browser: "Mobile Safari", os: "iOS", device: "tablet", screen_resolution: "820x1180" }],
];

type Place = {
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly language: string;
  readonly timezone: string;
};

export const places: Weighted<Place> = [
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
