import { validationError } from "../../errors/errors.ts";
import type { CheckInstallationReply } from "../../gen/lookout/services.ts";
import type { CheckInstallationRequest } from "../../gen/lookout/v1/websites_pb.ts";
import { findLiveWebsite } from "../findWebsite.ts";
import type { WebsiteCall } from "../websiteCall.ts";
import { judgePage } from "./judgePage.ts";
import { type PageAnswer, readPage } from "./readPage.ts";

/**
 * POST /websites/installation/check: reads a page of the website and says whether it counts its visits, or why not. Rejects with VALIDATION_ERROR for
 * an address of another domain, and with NOT_FOUND, also for a deleted website.
 */
export async function checkInstallation(
  { id, url: given }: CheckInstallationRequest,
  call: WebsiteCall,
): Promise<CheckInstallationReply> {
  const { config, postgres } = call.app;
  const { clientId, domain } = await findLiveWebsite(postgres, id, call.caller);
  const addresses = given === undefined ? [`https://${domain}/`, `http://${domain}/`] : [addressOn(domain, given)];
  let answer: PageAnswer = { kind: "unreachable" };
  let looked = "";
  for (const address of addresses) {
    looked = address;
    answer = await readPage(new URL(address), config.uptime.allowedRanges, call.signal);
    if (answer.kind !== "unreachable") break;
  }
  const nothing = { address: looked, httpStatus: 0, foundId: "", directive: "", neededSource: "" };
  switch (answer.kind) {
    case "refused":
      return { ...nothing, result: "address_refused" };
    case "unreachable":
      return { ...nothing, result: "unreachable" };
    case "failed":
      return { ...nothing, result: "no_page", address: answer.url.href, httpStatus: answer.status };
    case "page": {
      const verdict = judgePage(answer.page, { websiteId: id, clientId, baseUrl: config.server.baseUrl });
      return { ...nothing, address: answer.page.url.href, httpStatus: answer.status, ...verdict };
    }
  }
}

/** The URL to fetch. It has to be on the website's domain or a subdomain, so that this call cannot be used to fetch other websites. */
function addressOn(domain: string, text: string): string {
  const url = URL.parse(text);
  const isOwn = url !== null && (url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  if (!isOwn || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw validationError([
      { field: "url", message: `must be the address of a page of ${domain}, beginning with http:// or https://` },
    ]);
  url.hash = "";
  return url.href;
}
