/** A start tag of a page: its name and attributes in lower case, and for a script the text in it. */
export type HtmlTag = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
};

/** Their content is text and no tags (HTML, 13.1.2). */
const rawText = new Set(["script", "style", "textarea", "title"]);

/** The start tags of a page in their order, read in one pass. What is in comments and in scripts is no tag. */
export function htmlTags(html: string): HtmlTag[] {
  const tags: HtmlTag[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open === -1) break;
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const name = /^[a-z][a-z0-9-]{0,40}/.exec(lower.slice(open + 1, open + 42))?.[0];
    if (name === undefined) {
      at = open + 1;
      continue;
    }
    const { attributes, end } = readAttributes(html, open + 1 + name.length);
    at = end;
    let text = "";
    if (rawText.has(name)) {
      const close = lower.indexOf(`</${name}`, end);
      at = close === -1 ? html.length : close;
      text = html.slice(end, at);
    }
    tags.push({ name, attributes, text });
  }
  return tags;
}

const space = /\s/;

/** The attributes from a place in a tag on, the first of each name, and where the tag ends. */
function readAttributes(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < html.length) {
    const sign = html.charAt(at);
    if (sign === ">") return { attributes, end: at + 1 };
    if (space.test(sign) || sign === "/") {
      at++;
      continue;
    }
    const nameStart = at++;
    while (at < html.length && !/[\s/>=]/.test(html.charAt(at))) at++;
    const name = html.slice(nameStart, at).toLowerCase();
    while (space.test(html.charAt(at))) at++;
    let value = "";
    if (html.charAt(at) === "=") {
      at++;
      while (space.test(html.charAt(at))) at++;
      const quote = html.charAt(at);
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, at + 1);
        const valueEnd = close === -1 ? html.length : close;
        value = html.slice(at + 1, valueEnd);
        at = valueEnd + 1;
      } else {
        const valueStart = at;
        while (at < html.length && !/[\s>]/.test(html.charAt(at))) at++;
        value = html.slice(valueStart, at);
      }
    }
    if (!attributes.has(name)) attributes.set(name, value.replaceAll("&amp;", "&"));
  }
  return { attributes, end: at };
}
