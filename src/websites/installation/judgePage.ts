import { type ContentPolicy, forbiddingDirective, readPolicies } from "./contentPolicy.ts";
import { type HtmlTag, htmlTags } from "./htmlTags.ts";

/** A page of a website as it was answered. */
export type ReadPage = { readonly url: URL; readonly html: string; readonly policyHeader: string };

/** What the page should have. */
export type Expected = {
  /** Trackers take either id. */
  readonly websiteId: string;
  readonly clientId: string;
  /** The address of this service, without a slash at its end. */
  readonly baseUrl: string;
};

export type Verdict =
  | { readonly result: "ready" | "script_missing" | "tag_manager" | "id_missing" }
  | { readonly result: "other_website"; readonly foundId: string }
  | { readonly result: "script_blocked" | "events_blocked"; readonly directive: string; readonly neededSource: string };

/** A tracker in a page: where it is loaded from, where its events go, and the website that it names. */
type FoundTracker = { readonly src: URL; readonly events: URL; readonly id: string; readonly nonce: string };

/** Whether a page has what counts its visits, or why not. Of several trackers the one of this website counts. */
export function judgePage(page: ReadPage, expected: Expected): Verdict {
  const tags = htmlTags(page.html);
  const trackers = tags.flatMap((tag) => trackerOf(tag, page, expected));
  const ids = [expected.websiteId, expected.clientId];
  // Options that stand before the script name the website for one without an id of its own.
  const fromOptions = tags.some(({ name, text }) => name === "script" && ids.some((id) => text.includes(id)));
  const own = trackers.find(({ id }) => ids.includes(id) || (id === "" && fromOptions));
  if (own !== undefined) return judgePolicies(own, page, tags);
  const [other] = trackers;
  if (other !== undefined)
    return other.id === "" ? { result: "id_missing" } : { result: "other_website", foundId: other.id };
  if (fromOptions) return { result: "ready" };
  return { result: tags.some(isTagManager) ? "tag_manager" : "script_missing" };
}

/** The tracker that a script tag loads: by the name of its file at this service, or by the attribute that only our script has. */
function trackerOf({ name, attributes }: HtmlTag, { url: page }: ReadPage, { baseUrl }: Expected): FoundTracker[] {
  if (name !== "script") return [];
  const src = URL.parse(attributes.get("src") ?? "", page);
  if (src === null || attributes.get("src") === undefined) return [];
  const isOurs = src.host === new URL(baseUrl).host && /\/tracker(?:-vitals)?\.js$/.test(src.pathname);
  const id = attributes.get("data-website-id") ?? src.searchParams.get("website-id") ?? "";
  if (!isOurs && !(attributes.has("data-website-id") && isLikeOurs(src, attributes))) return [];
  const events = URL.parse(attributes.get("data-api-url") ?? "", src) ?? src;
  return [{ src, events, id, nonce: attributes.get("nonce") ?? "" }];
}

/** Other products have the attribute too; a script of ours under another name has the path of its events, or our file's name. */
function isLikeOurs(src: URL, attributes: HtmlTag["attributes"]): boolean {
  return (
    attributes.has("data-batch-path") ||
    attributes.has("data-api-url") ||
    /\/tracker(?:-vitals)?\.js$/.test(src.pathname)
  );
}

function isTagManager({ name, attributes, text }: HtmlTag): boolean {
  return (
    name === "script" &&
    /googletagmanager\.com\/gtm\.js|\/container_[\w-]+\.js|\/\/tags\.tiqcdn\.com\//.test(
      `${attributes.get("src")} ${text}`,
    )
  );
}

function judgePolicies({ src, events, nonce }: FoundTracker, page: ReadPage, tags: readonly HtmlTag[]): Verdict {
  for (const policy of policiesOf(page, tags)) {
    const script = forbiddingDirective(policy, ["script-src-elem", "script-src", "default-src"], src, page.url, nonce);
    if (script !== undefined) return { result: "script_blocked", directive: script, neededSource: src.origin };
    const connect = forbiddingDirective(policy, ["connect-src", "default-src"], events, page.url);
    if (connect !== undefined) return { result: "events_blocked", directive: connect, neededSource: events.origin };
  }
  return { result: "ready" };
}

function policiesOf({ policyHeader }: ReadPage, tags: readonly HtmlTag[]): ContentPolicy[] {
  const metas = tags
    .filter(
      ({ name, attributes }) =>
        name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "content-security-policy",
    )
    .map(({ attributes }) => attributes.get("content") ?? "");
  return [policyHeader, ...metas].flatMap(readPolicies);
}
