import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { LinkService } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { SegmentService } from "../../../../../packages/client-js/src/gen/lookout/v1/segments_pb.ts";
import { UptimeService } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { savedSegment } from "../../pages/dashboard/segments/savedSegment.ts";
import type { Command } from "./command.ts";
import { leadsTo } from "./listCommands.ts";
import { segmentCommand } from "./segmentCommand.ts";

const uptime = clientOf(UptimeService);
const links = clientOf(LinkService);
const savedSegments = clientOf(SegmentService);

/** Monitors are listed by website: those of so many websites at once. */
const websitesAtOnce = 12;
const mostWebsites = 200;

/**
 * Segments of the current website, monitors and short links as commands. They come when they are answered; what fails is not offered. `websites` are those
 * whose monitors are listed; those of more than twelve are listed once something is searched.
 */
export function useFoundObjects(
  websites: readonly Website[],
  current: Website | undefined,
  isSearched: boolean,
): readonly Command[] {
  const segments = useSignal<readonly Command[]>([]);
  const monitors = useSignal<readonly Command[]>([]);
  const found = useSignal<readonly Command[]>([]);
  // What has been listed stays when the text is deleted.
  const wasSearched = useRef(false);
  wasSearched.current ||= isSearched;
  const key = websites.map(({ id }) => id).join();
  const listMonitors = async (part: readonly Website[], signal: AbortSignal): Promise<void> => {
    const lists = part.map(({ id, name }) =>
      uptime.listMonitors({ websiteId: id }, { signal }).then((answer) => {
        const commands = answer.monitors.map(
          (monitor): Command => ({
            ...leadsTo("monitors", monitor.name, ["uptime", id, "monitor", monitor.id]),
            hint: name,
          }),
        );
        monitors.value = [...monitors.value, ...commands];
      }, ignore),
    );
    await Promise.all(lists);
  };
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    if (current !== undefined && may("read:data"))
      savedSegments.listSegments({ websiteId: current.id }, options).then((answer) => {
        segments.value = answer.segments.map((segment) => segmentCommand(savedSegment(segment), current));
      }, ignore);
    if (may("read:uptime")) void listMonitors(websites.slice(0, websitesAtOnce), stop.signal);
    if (may("read:links"))
      links.listLinks({ limit: 1_000 }, options).then((answer) => {
        found.value = answer.links.flatMap(({ id, name, slug, websiteId }): Command[] =>
          websiteId === undefined
            ? []
            : [{ ...leadsTo("links", name === "" ? slug : name, ["links", websiteId, id]), hint: `/${slug}` }],
        );
      }, ignore);
    return () => stop.abort();
  }, [key]);
  useEffect(() => {
    if (!wasSearched.current || !may("read:uptime")) return;
    const stop = new AbortController();
    const listOthers = async (): Promise<void> => {
      for (let at = websitesAtOnce; at < Math.min(websites.length, mostWebsites); at += websitesAtOnce) {
        if (stop.signal.aborted) return;
        await listMonitors(websites.slice(at, at + websitesAtOnce), stop.signal);
      }
    };
    void listOthers();
    return () => stop.abort();
  }, [key, wasSearched.current]);
  return [...segments.value, ...monitors.value, ...found.value];
}

/** The rest of the menu works without them. */
function ignore(): void {}
