/** What is chosen for a badge or a frame. */
export type SnippetChoice = {
  /** The address of the page. */
  readonly url: string;
  readonly title: string;
  /** Empty for all systems. */
  readonly monitorId: string;
  /** Empty for the name of the page or the monitor. */
  readonly label: string;
  readonly theme: "light" | "dark";
};

/** The part of a badge's address after that of its page. */
export function badgePath({ monitorId, label, theme }: SnippetChoice): string {
  const options = new URLSearchParams();
  if (label !== "") options.set("label", label);
  if (theme === "dark") options.set("theme", theme);
  const query = options.size === 0 ? "" : `?${options}`;
  return monitorId === "" ? `/badge.svg${query}` : `/badge/${monitorId}.svg${query}`;
}

export function embedPath({ theme }: SnippetChoice): string {
  return `/embed?theme=${theme}`;
}

export function badgeHtml(choice: SnippetChoice): string {
  const [url, image] = [choice.url, choice.url + badgePath(choice)].map(attribute);
  return `<a href="${url}"><img src="${image}" alt="${attribute(choice.title)}" height="20"></a>`;
}

export function badgeMarkdown(choice: SnippetChoice): string {
  return `[![${choice.title.replace(/[[\]\\]/g, "\\$&")}](${choice.url}${badgePath(choice)})](${choice.url})`;
}

export function embedHtml(choice: SnippetChoice): string {
  const src = attribute(choice.url + embedPath(choice));
  return `<iframe src="${src}" title="${attribute(choice.title)}" width="100%" height="96" style="border:0" loading="lazy"></iframe>`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
