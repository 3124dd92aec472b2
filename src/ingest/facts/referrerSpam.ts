import { readReferrerList } from "./referrerLists.ts";

/**
 * Whether a host, or a parent domain, is known for sending fake visits to advertise itself. The host is in lower case,
 * without `www.`
 */
export function isReferrerSpam(host: string): boolean {
  for (let name = host; name.includes("."); name = name.slice(name.indexOf(".") + 1)) {
    if (spammers.has(name)) return true;
  }
  return false;
}

/** A public list of about 2,300 hosts and those that it lacks. */
const spammers: ReadonlySet<string> = new Set([
  ...readReferrerList("spam"),
  "ranking2017.ga",
  "srecorder.com",
  "xn--lifehacer-1rb.com",
  "xn--oogle-wmc.com",
]);
