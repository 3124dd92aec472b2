/**
 * What a tracker does. As attributes of the script tag: `websiteId` is `data-website-id`, and so on; `"false"` switches off. Without
 * `websiteId` and `apiUrl` it only writes a warning to the console.
 */
export type TrackerOptions = {
  /** The website's id or client id. */
  websiteId: string;
  /** Where Lookout is, such as `https://lookout.example`. The script's default is where it came from. */
  apiUrl: string;
  /** False: page views are counted only by `view()`. Default true. */
  auto?: boolean | undefined;
  /** True: `#/path` is a page of its own. Default false. */
  hash?: boolean | undefined;
  /**
   * Names of query parameters that belong to a page, separated by `|`: with `id`, `/product?id=5` is a page of its own. The website's setting
   * must name them too. Default none.
   */
  queryParameters?: string | undefined;
  /** Paths that are not tracked, as a regular expression: `^/admin/|^/preview$`. */
  exclude?: string | undefined;
  /** False: clicks on links that leave the site are not counted. Default true. */
  outbound?: boolean | undefined;
  /** False: clicks on links to files are not counted. Default true. */
  downloads?: boolean | undefined;
  /**
   * How visitors are recognised. `hash` (default): nothing is stored and no id is sent; the service makes a hash of address, browser,
   * website and a random salt that is destroyed each midnight (UTC). With a random id in the site's own storage: `daily` until the first
   * session of another day, `persistent` for at most 13 months from its creation. `none`: nothing is stored, each page load is a visitor.
   */
  visitor?: "hash" | "daily" | "persistent" | "none" | undefined;
  /** False: Do-Not-Track and Global Privacy Control are disregarded here; the server has its own setting. Default true. */
  dnt?: boolean | undefined;
  /** The path of the API that takes events, for proxies that have another one. Default `/batch`. */
  batchPath?: string | undefined;
  /** Present: the first view is of a page that does not exist, as `data-404` says. */
  404?: true;
  /** Whether pages on this computer (localhost) are tracked. Default: only if Lookout runs there too. */
  localhost?: boolean | undefined;
};

/** A running tracker. Does nothing when the visitor is not to be tracked. */
export type Tracker = {
  /** Counts a custom event. A name has at most 256 characters, properties at most 32,768 bytes as JSON. */
  track(name: string, properties?: object): void;
  /**
   * Counts a view of the current page, which is only needed with `auto: false`, or to give it properties.
   * `{ notFound: true }` marks a page that does not exist.
   */
  view(properties?: { notFound?: boolean }): void;
  /** Ends all tracking of this page; what happened before is still sent. */
  stop(): void;
  /** Counts this visitor no longer, on any page of this origin. A flag in its storage is all that is stored then. */
  optOut(): void;
  /** Takes the objection back. Pages are counted from the next one on. */
  optIn(): void;
  /** Whether this visitor has objected here. */
  isOptedOut(): boolean;
};

/** Further members of a sent event, besides the page, the time and the visitor's ids. */
export type Item = Record<string, unknown>;

/** Sends an item to a path of the API, that of events unless given, with the page, the time and the visitor's ids. */
export type Report = (item: Item, apiPath?: string) => void;

/**
 * Observes something besides page views and reports it. What it returns is called once for each page view, when it ends
 * or is first hidden, with a report that still names that page and its session.
 */
export type Extension = (report: Report) => (report: Report) => void;
