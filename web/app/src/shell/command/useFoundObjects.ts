import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LinkService } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { UptimeService } from "../../../../../packages/client-js/src/gen/lookout/v1/uptime_pb.ts";
import type { Website } from "../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import type { Command } from "./command.ts";
import { leadsTo } from "./listCommands.ts";

const uptime = clientOf(UptimeService);
const links = clientOf(LinkService);

/** Monitors are listed by website, so not of more websites than these. */
const mostWebsites = 12;

/** Monitors and short links as commands. They come when they are answered; what fails is not offered. */
export function useFoundObjects(websites: readonly Website[]): readonly Command[] {
  const monitors = useSignal<readonly Command[]>([]);
  const found = useSignal<readonly Command[]>([]);
  const key = websites.map(({ id }) => id).join();
  useEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    if (may("read:uptime"))
      for (const website of websites.slice(0, mostWebsites))
        uptime.listMonitors({ websiteId: website.id }, options).then((answer) => {
          const commands = answer.monitors.map(
            (monitor): Command => ({
              ...leadsTo("monitors", monitor.name, ["uptime", website.id, "monitor", monitor.id]),
              hint: website.name,
            }),
          );
          monitors.value = [...monitors.value, ...commands];
        }, ignore);
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
  return [...monitors.value, ...found.value];
}

/** The rest of the menu works without them. */
function ignore(): void {}
