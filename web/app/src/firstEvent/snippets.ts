/** The ways to send events. */
export const ways = ["script", "tagManager", "module", "server"] as const;

export type Way = (typeof ways)[number];

/** What to put where, for a website. `baseUrl` is the service's address without a slash at its end. */
export function snippetOf(way: Way, websiteId: string, baseUrl: string): string {
  switch (way) {
    case "script":
      return `<script defer src="${baseUrl}/tracker.js" data-website-id="${websiteId}"></script>`;
    case "tagManager":
      // Tag managers drop attributes, so the id is in the address.
      return `<script async src="${baseUrl}/tracker.js?website-id=${websiteId}"></script>`;
    case "module":
      return `import { createTracker } from "@lookout/tracker";

createTracker({
  websiteId: "${websiteId}",
  apiUrl: "${baseUrl}",
});`;
    case "server":
      return `curl "${baseUrl}/batch?website_id=${websiteId}" \\
  -H "content-type: application/json" \\
  -d '[{"name": "page_view", "path": "/", "anonymousId": "visitor-1", "sessionId": "session-1"}]'`;
  }
}
