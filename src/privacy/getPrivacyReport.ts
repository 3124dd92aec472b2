import type { GetPrivacyReportReply } from "../gen/lookout/services.ts";
import type { GetPrivacyReportRequest } from "../gen/lookout/v1/websites_pb.ts";
import { findWebsite } from "../websites/findWebsite.ts";
import { describeReport } from "./describeReport.ts";
import { readFacts } from "./readFacts.ts";
import type { ReportCall } from "./reportCall.ts";
import { reportPage } from "./reportPage.ts";
import { shownFacts } from "./shownFacts.ts";
import { textsFor } from "./texts/texts.ts";

/**
 * GET /v1/websites/{website_id}/privacy-report: what a website's settings and rows say about points of CNIL, ICO and DSK. What
 * cannot be read makes its points unknown. Rejects with NOT_FOUND.
 */
export async function getPrivacyReport(
  { websiteId, format, language }: GetPrivacyReportRequest,
  call: ReportCall,
): Promise<GetPrivacyReportReply> {
  const website = await findWebsite(call.app.postgres, websiteId, call.caller);
  const texts = textsFor(language, call.header("accept-language"));
  const report = describeReport(shownFacts(await readFacts(website, call)), website, texts);
  return wantsPage(format, call.header("accept"))
    ? { ...report, page: reportPage(report, website.name, texts) }
    : report;
}

/** Browsers accept HTML where a person opens the address; programs do not. */
function wantsPage(format: string | undefined, accept: string | undefined): boolean {
  return format === undefined ? (accept?.includes("text/html") ?? false) : format === "html";
}
