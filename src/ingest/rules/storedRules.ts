/** What a rule of a website excludes by, in the order in which rules are looked at. */
export const ruleKinds = ["network", "country", "user_agent", "host", "unlisted_host", "path", "referrer"] as const;

export type RuleKind = (typeof ruleKinds)[number];

/** The rules of a website as they are stored. A missing list is empty. */
export type StoredRules = {
  /** Addresses and CIDR ranges, such as `203.0.113.0/24`. */
  readonly networks?: readonly string[];
  /** ISO 3166-1 alpha-2 */
  readonly countries?: readonly string[];
  /** Parts of the User-Agent header. */
  readonly userAgents?: readonly string[];
  /** Hosts of pages that do not count; `*.shop.example` means all below it. */
  readonly hosts?: readonly string[];
  /** If there are some, pages of all other hosts do not count. */
  readonly onlyHosts?: readonly string[];
  /** Paths as they are stored; one that ends in `*` means all that begin so. */
  readonly paths?: readonly string[];
  /** Hosts of referrers, as `hosts`. */
  readonly referrers?: readonly string[];
};
