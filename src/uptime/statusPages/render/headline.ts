import { type Html, html, htmlText } from "../../../text/html.ts";
import type { ShownMonitor } from "../../figures/shownMonitor.ts";
import type { PageView } from "../read/pageView.ts";
import { timeHtml } from "./eventHtml.ts";
import { formatDuration, type Writer } from "./format.ts";

/** The sentence that says whether the systems work, by name where it is one of them. */
export function headline(view: PageView, { texts }: Writer): string {
  const { isCurrent, status, groups, ongoing } = view;
  const monitors = groups.flatMap((group) => group.monitors);
  if (status === "down" || status === "degraded") {
    const sentences = status === "down" ? texts.down : texts.degraded;
    const affected = monitors.filter((monitor) => monitor.status === status);
    const [first] = affected;
    if (affected.length === 1 && first !== undefined) return sentences.one(first.name);
    return affected.length === monitors.length ? sentences.all : sentences.some(affected.length, monitors.length);
  }
  if (status === "incident") return ongoing[0]?.title ?? texts.overall.incident;
  const isPartlyKnown = monitors.some((monitor) => monitor.status === "up");
  return isCurrent && status === "unknown" && isPartlyKnown ? texts.partlyUnknown : texts.overall[status];
}

/** What else is to be said in one line: since when, what else works, or why a state is not known. Undefined for nothing. */
export function explanation(view: PageView, writer: Writer): Html | undefined {
  const { texts } = writer;
  const { isCurrent, statesMs, status, groups } = view;
  if (!isCurrent)
    return statesMs === undefined ? html`${texts.neverKnown}` : htmlText(texts.notCurrent, timeHtml(statesMs, writer));
  const monitors = groups.flatMap((group) => group.monitors);
  if (status === "unknown") return monitors.length === 0 ? undefined : html`${texts.unknownText}`;
  const others = monitors.filter((monitor) => monitor.status !== status && monitor.status !== "paused");
  const doOthersWork = others.length > 0 && others.every((monitor) => monitor.status === "up");
  if (status === "incident") return doOthersWork ? html`${texts.monitorsUp}` : undefined;
  if (status !== "down" && status !== "degraded") return undefined;
  const since = sinceHtml(
    monitors.filter((monitor) => monitor.status === status),
    view,
    writer,
  );
  if (since === undefined) return doOthersWork ? html`${texts.restWorks}` : undefined;
  return doOthersWork ? html`${since} ${texts.restWorks}` : since;
}

/** Since when the only affected monitor has its incident. */
function sinceHtml(
  affected: readonly ShownMonitor[],
  { ongoing, factsMs }: PageView,
  writer: Writer,
): Html | undefined {
  const [monitor, ...others] = affected;
  if (monitor === undefined || others.length > 0) return undefined;
  const starts = ongoing.filter(({ monitorIds }) => monitorIds.includes(monitor.id)).map(({ startedMs }) => startedMs);
  if (starts.length === 0) return undefined;
  const startedMs = Math.min(...starts);
  const duration = html`${formatDuration(Math.max(0, factsMs - startedMs), writer)}`;
  return htmlText(writer.texts.sinceFor, timeHtml(startedMs, writer, factsMs), duration);
}
