/** The HTML that shows a shared dashboard within a page of an allowed origin. */
export function embedSnippet(url: string, title: string): string {
  return `<iframe src="${escaped(url)}" title="${escaped(title)}" width="100%" height="900" style="border: 0" loading="lazy"></iframe>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
