import { createHash } from "node:crypto";

/** What an example shows instead of what only this run had: ids, secrets, times and addresses. */
export type Shown = (value: unknown) => unknown;

/** Of a request all that it sends, so that it can be sent again; of an answer's lists a few items. */
export type Shows = { readonly request: Shown; readonly response: Shown };

const dayMs = 86_400_000;

/** A Monday. Times of examples are moved by whole days, so that the run took place on it. */
const shownDayMs = Date.UTC(2026, 2, 2);

const people = ["ada", "grace", "edith", "mary"];

/** A workflow's page in the Temporal Web UI. */
const workflowsUrl = "https://temporal.example.com/namespaces/default/workflows";
const workflowsEnd = "%2Fshop.example%2F7c9e6679-7425";

/** Replaces alike what is alike, over all values that one function is given. */
export function shownValues(nowMs: number, baseUrls: readonly string[]): Shows {
  const ids = new Map<string, string>();
  const mails = new Map<string, string>();
  const shiftMs = Math.floor(shownDayMs / dayMs) * dayMs - Math.floor(nowMs / dayMs) * dayMs;
  const shownText = (text: string): string => {
    let shown = text;
    for (const baseUrl of baseUrls) shown = shown.replaceAll(baseUrl, "https://stats.example.com");
    return shown
      .replace(/https?:[^"\s]+\/workflows\/(\w+)%2F[^"\s]+/g, (_, kind) => `${workflowsUrl}/${kind}${workflowsEnd}`)
      .replace(/[0-9a-f-]{36}@example\.com/g, (mail) =>
        alike(mails, mail, (n) => `${people[n] ?? `person${n}`}@example.com`),
      )
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => alike(ids, id, exampleId))
      .replace(/\breq_[0-9a-z]+/g, "req_5f0c2a9e41b31")
      .replace(/\b(lk_|whsec_)[\w+/=]+/g, (secret, prefix: string) => prefix + masked(secret.length - prefix.length))
      .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{30,}/g, (secret) =>
        /^[0-9a-f]{8}-|^\d{4}-\d\d-/.test(secret) ? secret : masked(secret.length),
      )
      .replace(/\b\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?/g, (time) => {
        const ms = Date.parse(time);
        // Far times are no part of this run, such as the end of an example's maintenance.
        if (Number.isNaN(ms) || Math.abs(ms - nowMs) > 400 * dayMs) return time;
        const moved = new Date(ms + shiftMs).toISOString();
        return time.length === 10 ? moved.slice(0, 10) : moved;
      })
      .replace(/\b\d{13}\b/g, (ms) => (Math.abs(Number(ms) - nowMs) > 400 * dayMs ? ms : String(Number(ms) + shiftMs)));
  };
  const shown = (value: unknown, mostItems: number): unknown => {
    if (typeof value === "string") return shownText(value);
    if (typeof value === "number")
      return Math.abs(value - nowMs) < 400 * dayMs && value > dayMs * 10_000 ? value + shiftMs : value;
    if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => shown(item, mostItems));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value);
    // Objects with many members of one kind are maps, such as the configs of all query types.
    const isMap = members.length > 30 && members.every(([, member]) => typeof member === "object");
    return Object.fromEntries(
      (isMap ? members.slice(0, mostItems) : members).map(([name, member]) => [
        name,
        secrets.includes(name) ? masked(24) : shown(member, mostItems),
      ]),
    );
  };
  return { request: (value) => shown(value, Number.POSITIVE_INFINITY), response: (value) => shown(value, mostItems) };
}

function masked(length: number): string {
  return "EXAMPLE".repeat(Math.ceil(length / 7)).slice(0, length);
}

/** Members that hold single-use secrets, whatever their form: an example shows a placeholder for them. */
const secrets = ["token", "signature"];

/** A second item shows that there may be several; further ones teach nothing, and make the document larger. */
const mostItems = 2;

function alike(known: Map<string, string>, value: string, make: (number: number) => string): string {
  const found = known.get(value) ?? make(known.size);
  known.set(value, found);
  return found;
}

/** The same for every run. */
function exampleId(number: number): string {
  const hex = createHash("sha256").update(`example ${number}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The same for all runs that send the same: ids and times are blanked. */
export function blanked(value: unknown): string {
  return JSON.stringify(value)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, "<time>")
    .replace(/\b\d{13}\b/g, "<time>")
    .replace(/(EXAMPLE)+[A-Z]*/g, "<secret>")
    .replace(/"code":"\d{6}"/g, '"code":"<code>"');
}
