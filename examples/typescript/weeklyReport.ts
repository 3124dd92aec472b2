// Writes the figures of a website's last week as CSV, with those of the week before: for a spreadsheet, or a mail on Monday morning.
// Usage: BASE=… KEY=… WEBSITE=… node weeklyReport.ts [preset, such as last_7d]. The key needs the scope read:data.
import { createLookout, DATE_PRESETS, LookoutError } from "@lookout/client";

const { BASE = "", KEY, WEBSITE, TIMEZONE = "UTC" } = process.env;
const [, , wanted = "last_week"] = process.argv;
const preset = DATE_PRESETS.find((known) => known === wanted);

/** A cell of CSV. What is not known is empty, not 0; a text that a spreadsheet would run as a formula is quoted. */
function cell(value: string | number | null | undefined): string {
  if (typeof value === "number") return String(value);
  const text = value ?? "";
  return `"${(/^[=+@\t\r-]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function line(...values: readonly (string | number | null | undefined)[]): void {
  console.log(values.map(cell).join(","));
}

try {
  if (preset === undefined) throw new Error(`There is no preset ${wanted}: use one of ${DATE_PRESETS.join(", ")}`);
  const lookout = createLookout({ baseUrl: BASE, apiKey: KEY, websiteId: WEBSITE });
  const { data } = await lookout.query({
    preset,
    timezone: TIMEZONE,
    compare: "previous",
    limit: 10,
    parameters: ["summary_metrics", "top_pages", "utm_campaigns"],
  });
  const [summary, pages, campaigns] = data;
  if (!summary.success || !pages.success || !campaigns.success) throw new Error("Not every part could be answered");
  line("what", "name", "figure", "period", "period before");
  const [now, before] = [summary.data[0], summary.comparison?.data[0]];
  line("website", "visitors", "visitors", now?.unique_visitors, before?.unique_visitors);
  line("website", "page views", "page views", now?.pageviews, before?.pageviews);
  line("website", "bounce rate", "percent", now?.bounce_rate, before?.bounce_rate);
  for (const [index, { path, visitors }] of pages.data.entries())
    line("page", path, "visitors", visitors, pages.comparison?.data[index]?.visitors);
  for (const [index, { name, visitors }] of campaigns.data.entries())
    line("campaign", name, "visitors", visitors, campaigns.comparison?.data[index]?.visitors);
  if (summary.comparison?.isComplete === false)
    console.error("Parts of a period are unknown: do not compare the totals.");
  await lookout.close();
} catch (error) {
  console.error(error instanceof LookoutError ? `${error.code}: ${error.message}` : String(error));
  process.exitCode = 1;
}
