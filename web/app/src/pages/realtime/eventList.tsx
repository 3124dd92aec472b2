import { useEffect, useRef } from "preact/hooks";
import type { RealtimeRecentEventsRow } from "../../../../../packages/client-js/src/rows.ts";
import { formatCountry } from "../../texts/format.ts";
import { formatClock } from "../../texts/formatTime.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { NoValue } from "../../ui/noValue.tsx";
import { ScrollArea } from "../../ui/scrollArea.tsx";
import { type KeyedEvent, withKeys } from "./eventKeys.ts";
import { mostEvents } from "./realtimeQuestion.ts";

type EventListProps = {
  readonly events: readonly RealtimeRecentEventsRow[] | undefined;
  readonly zone: string;
  readonly isWaiting: boolean;
};

/** Page views and custom events as they come, newest first. It names no visitor and no session. */
export function EventList({ events, zone, isWaiting }: EventListProps) {
  const { realtime: texts, panels, app } = allTexts();
  const shown = events === undefined ? undefined : withKeys(events);
  const before = useKeysBefore(shown);
  return (
    <section class="panel" aria-labelledby="realtime-events" data-panel="feed">
      <div class="panel-head">
        <h2 id="realtime-events">{texts.feed}</h2>
        <span class="field-hint">{shown?.length === mostEvents ? texts.latest(mostEvents) : texts.newestFirst}</span>
      </div>
      {shown === undefined ? (
        <div class="panel-body">
          {isWaiting ? <p class="said">{app.loading}</p> : <p class="panel-empty">{panels.notLoaded}</p>}
        </div>
      ) : shown.length === 0 ? (
        <p class="panel-empty">{texts.nobody}</p>
      ) : (
        <ScrollArea class="feed" label={texts.feed}>
          <table class="feed-table">
            <thead class="said">
              <tr>
                <th scope="col">{texts.time}</th>
                <th scope="col">{texts.eventAndPage}</th>
                <th scope="col">{panels.country}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event) => (
                <Event
                  key={event.key}
                  event={event}
                  zone={zone}
                  isNew={before !== undefined && !before.has(event.key)}
                />
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </section>
  );
}

type EventProps = { readonly event: KeyedEvent; readonly zone: string; readonly isNew: boolean };

function Event({ event, zone, isNew }: EventProps) {
  const { realtime: texts } = allTexts();
  const { event_type, event_name, path, country, timestamp } = event;
  const isCustom = event_type === "custom";
  return (
    <tr data-new={isNew} data-kind={isCustom ? "custom" : "view"}>
      <td class="feed-time">
        {timestamp === null ? <NoValue /> : <time dateTime={timestamp}>{formatClock(timestamp, zone)}</time>}
      </td>
      <td>
        <span class="feed-name">{isCustom ? event_name : texts.view}</span>{" "}
        <span class="feed-page" title={path}>
          {path}
        </span>
      </td>
      <td class="feed-country">{country === "" ? <NoValue /> : formatCountry(country)}</td>
    </tr>
  );
}

/** The keys that were on screen before; undefined at first, when nothing is new. */
function useKeysBefore(events: readonly KeyedEvent[] | undefined): ReadonlySet<string> | undefined {
  const before = useRef<ReadonlySet<string> | undefined>(undefined);
  const known = before.current;
  useEffect(() => {
    if (events !== undefined) before.current = new Set(events.map(({ key }) => key));
  });
  return known;
}
