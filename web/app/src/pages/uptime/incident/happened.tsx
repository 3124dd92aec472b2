import type { NotificationChannel } from "../../../../../../packages/client-js/src/gen/lookout/v1/notification_channels_pb.ts";
import type { StatusPage } from "../../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import type {
  GetIncidentResponse,
  Monitor,
} from "../../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import { may } from "../../../api/session.ts";
import { formatInstant } from "../../../texts/formatTime.ts";
import { type AllTexts, allTexts } from "../../../texts/settings/settingsTexts.ts";
import { clock } from "./incidentTime.ts";
import { NoteForm } from "./noteForm.tsx";
import { NoteText } from "./noteText.tsx";
import { type TimelineEntry, timelineOfAnswer } from "./timeline.ts";

type HappenedProps = {
  readonly answer: GetIncidentResponse;
  readonly monitor: Monitor;
  readonly zone: string;
  readonly channels: readonly NotificationChannel[];
  readonly pages: readonly StatusPage[];
  readonly onChange: () => void;
};

/** Everything that happened, in order, and the notes of people who looked after it. */
export function Happened({ answer, monitor, zone, channels, pages, onChange }: HappenedProps) {
  const { incident: texts } = allTexts();
  const entries = timelineOfAnswer(answer);
  const known = { monitor, channels, pages, isTold: answer.deliveries.length > 0 };
  return (
    <section class="panel" aria-labelledby="happened" data-panel="happened">
      <div class="panel-head">
        <h2 id="happened">{texts.happened}</h2>
      </div>
      <ol class="happened">
        {entries.map((entry) => {
          const { title, hints } = sentencesOf(entry, known, allTexts());
          return (
            <li
              key={entry.kind === "note" ? entry.id : `${entry.kind} ${entry.atMs} ${title}`}
              class="happened-entry"
              data-kind={entry.kind}
            >
              <time
                dateTime={new Date(entry.atMs).toISOString()}
                title={formatInstant(entry.atMs, zone, { withSeconds: true })}
              >
                {clock(entry.atMs, zone, { withSeconds: true })}
              </time>
              <div>
                <p>{title}</p>
                {hints.map((hint) => (
                  <p key={hint} class="field-hint">
                    {hint}
                  </p>
                ))}
                {entry.kind === "note" && (
                  <NoteText
                    id={entry.id}
                    text={entry.text}
                    about={`${title}, ${clock(entry.atMs, zone, { withSeconds: true })}`}
                    onChange={onChange}
                  />
                )}
              </div>
            </li>
          );
        })}
        {answer.incident?.resolvedAt === undefined && (
          <li class="happened-entry" data-kind="lasts">
            <span />
            <p>{texts.lasts}</p>
          </li>
        )}
      </ol>
      {answer.incident !== undefined && may("write:uptime") && (
        <NoteForm incidentId={answer.incident.id} onChange={onChange} />
      )}
    </section>
  );
}

type Known = {
  readonly monitor: Monitor;
  readonly channels: readonly NotificationChannel[];
  readonly pages: readonly StatusPage[];
  /** Whether a message was planned. */
  readonly isTold: boolean;
};

/** An entry in words. */
function sentencesOf(
  entry: TimelineEntry,
  { monitor, channels, pages, isTold }: Known,
  { incident: texts, statusPages, uptime }: AllTexts,
): { readonly title: string; readonly hints: readonly string[] } {
  switch (entry.kind) {
    case "failed":
      return { title: texts.firstFailed(entry.region), hints: entry.error === "" ? [] : [entry.error] };
    case "down": {
      const { votes } = entry;
      return {
        title: texts.isDown(votes?.down.length ?? 0, votes?.answered.length ?? 0),
        hints: [
          ...((votes?.silent.length ?? 0) > 0 ? [texts.silent(votes?.silent.join(", ") ?? "")] : []),
          ...(monitor.escalation.length === 0 && !isTold ? [texts.nobodyTold] : []),
        ],
      };
    }
    case "told": {
      const nameOf = (id: string): string =>
        channels.find((channel) => channel.id === id)?.name ?? uptime.deletedChannel;
      const names = entry.deliveries.map(({ channelId }) => nameOf(channelId)).join(", ");
      const title =
        entry.event === "incident.resolved"
          ? texts.toldOver(names)
          : entry.event === "incident.escalated"
            ? texts.toldAgain(names)
            : texts.told(names);
      const states = entry.deliveries.map((delivery) => ({
        name: nameOf(delivery.channelId),
        state: stateText(delivery, texts.toldOf),
      }));
      const isSame = new Set(states.map(({ state }) => state)).size === 1;
      return {
        title,
        hints: isSame ? [states[0]?.state ?? ""] : states.map(({ name, state }) => `${name}: ${state}`),
      };
    }
    case "acknowledged":
      return {
        title: texts.acknowledgedBy(entry.by),
        hints: monitor.escalation.length > 1 ? [texts.escalationStopped] : [],
      };
    case "note":
      return { title: texts.noteBy(entry.by), hints: [] };
    case "reported": {
      const page = pages.find(({ id }) => id === entry.pageId);
      const status =
        statusPages.reportStatuses[entry.status as keyof typeof statusPages.reportStatuses] ?? entry.status;
      return {
        title: texts.reported(status, entry.title),
        hints: page === undefined ? [] : [texts.onPage(page.title)],
      };
    }
    case "up":
      return { title: texts.upAgain, hints: [texts.goodInRow(monitor.resolveAfter)] };
  }
}

function stateText(
  { status, attempts, lastError }: { readonly status: string; readonly attempts: number; readonly lastError?: string },
  texts: AllTexts["incident"]["toldOf"],
): string {
  const why = lastError === undefined ? "" : `: ${lastError}`;
  if (status === "delivered") return texts.delivered(attempts);
  if (status === "pending") return `${texts.pending(attempts)}${why}`;
  if (status === "suppressed") return texts.suppressed;
  return `${texts.failed}${why}`;
}
