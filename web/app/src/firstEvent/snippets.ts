/** The guides, by where a website comes from. */
export const guides = [
  "script",
  "wordpress",
  "shopify",
  "next",
  "react",
  "vue",
  "tagManager",
  "module",
  "server",
] as const;

export type Guide = (typeof guides)[number];

/** What the tracker does besides page views, as people choose it. */
export const options = ["vitals", "outbound", "downloads", "hash", "recognises"] as const;

export type Option = (typeof options)[number];

/** What the tracker does by default. */
export const defaultOptions: readonly Option[] = ["outbound", "downloads"];

/** The options that a guide's snippet can have. */
export function optionsOf(guide: Guide): readonly Option[] {
  return guide === "server" ? [] : options;
}

type Chosen = { readonly websiteId: string; readonly options: readonly Option[] };

/** What to put where, for a website. `baseUrl` is the service's address without a slash at its end. */
export function snippetOf(guide: Guide, chosen: Chosen, baseUrl: string): string {
  const src = `${baseUrl}/${chosen.options.includes("vitals") ? "tracker-vitals" : "tracker"}.js`;
  switch (guide) {
    case "script":
    case "wordpress":
    case "shopify":
    case "react":
    case "vue":
      return `<script defer src="${src}" data-website-id="${chosen.websiteId}"${attributesOf(chosen)}></script>`;
    case "next":
      return `import Script from "next/script";

<Script src="${src}" data-website-id="${chosen.websiteId}"${attributesOf(chosen)} />`;
    case "tagManager":
      // Tag managers drop attributes, so the id is in the address, and options are set before.
      return `${optionsScript(chosen)}<script async src="${src}?website-id=${chosen.websiteId}"></script>`;
    case "module":
      return moduleOf(chosen, baseUrl);
    case "server":
      return `curl "${baseUrl}/batch?website_id=${chosen.websiteId}" \\
  -H "content-type: application/json" \\
  -d '[{"name": "page_view", "path": "/", "anonymousId": "visitor-1", "sessionId": "session-1"}]'`;
  }
}

/** The options that differ from the tracker's defaults, by their names (web/tracker/options.ts). */
function changedOptions({ options: on }: Chosen): [name: string, value: string | boolean][] {
  const changed: [string, string | boolean][] = [];
  if (!on.includes("outbound")) changed.push(["outbound", false]);
  if (!on.includes("downloads")) changed.push(["downloads", false]);
  if (on.includes("hash")) changed.push(["hash", true]);
  if (on.includes("recognises")) changed.push(["visitor", "persistent"]);
  return changed;
}

function attributesOf(chosen: Chosen): string {
  return changedOptions(chosen)
    .map(([name, value]) => ` data-${name}="${value}"`)
    .join("");
}

function optionsScript(chosen: Chosen): string {
  const changed = changedOptions(chosen);
  if (changed.length === 0) return "";
  const members = changed.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  return `<script>window.lookout = { ${members} }</script>\n`;
}

function moduleOf(chosen: Chosen, baseUrl: string): string {
  const hasVitals = chosen.options.includes("vitals");
  const imports = hasVitals
    ? `\nimport { observeErrors } from "@lookout/tracker/errors";\nimport { observeVitals } from "@lookout/tracker/vitals";`
    : "";
  const members = [
    ["websiteId", chosen.websiteId] as const,
    ["apiUrl", baseUrl] as const,
    ...changedOptions(chosen),
  ].map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  const observed = hasVitals ? `, (report) => {\n  observeErrors(report);\n  return observeVitals();\n}` : "";
  return `import { createTracker } from "@lookout/tracker";${imports}

createTracker({
${members.join("\n")}
}${observed});`;
}
