import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import {
  lookoutMonitorStatus,
  lookoutName,
  lookoutOrganization,
  lookoutUrl,
} from "../../src/store/temporal/searchAttributes.ts";
import { isoTime } from "../../src/time/utcDay.ts";
import type { ShownAttributes } from "../../src/uptime/run/monitorRun.ts";
import type { MonitorSettings } from "../../src/uptime/run/monitorSettings.ts";
import type { MonitorState, SlotResult } from "../../src/uptime/state/state.ts";
import { ignoredSignal } from "../payload.ts";

/** The search attributes of a monitor that change during its life. */
const attributes = [
  [lookoutMonitorStatus, "status"],
  [lookoutUrl, "url"],
  [lookoutName, "name"],
  [lookoutOrganization, "organizationId"],
] as const;

/** What the Temporal UI shows of a monitor. */
export class MonitorDetails {
  readonly #monitorId: string;
  #shown: ShownAttributes | undefined;
  #last: SlotResult | undefined;
  #ignored = "none";
  #rows: readonly string[] = [];

  /** Search attributes carry over from the run that this one continues. */
  constructor(monitorId: string, shown: ShownAttributes | undefined) {
    this.#monitorId = monitorId;
    this.#shown = shown;
  }

  checked(slot: SlotResult): void {
    this.#last = slot;
  }

  /** Shows operators which signal was ignored, and why. */
  ignored(signal: string, problem: string, timeMs: number): void {
    this.#ignored = cell(ignoredSignal(signal, problem, timeMs));
    this.#write();
  }

  /**
   * Shows the state. Setting search attributes costs an event, so they are set only when they change. Returns them for
   * the run that continues this one.
   */
  show(
    settings: MonitorSettings,
    state: MonitorState,
    nextDueMs: number | undefined,
    isWatched: boolean,
  ): ShownAttributes {
    const { websiteId, organizationId, name, shownUrl } = settings;
    const status = settings.status === "active" ? state.status : settings.status;
    const { incident } = state;
    this.#rows = [
      ...(name === undefined ? [] : [`| name | ${cell(name)} |`]),
      `| URL | ${cell(shownUrl)} |`,
      `| website | ${websiteId} |`,
      `| status | ${status} |`,
      ...(isWatched
        ? [
            "| last check | steady; the heartbeat of the pending activity watchMonitor shows the last and the next slot |",
          ]
        : [
            `| last check | ${this.#lastCheck()} |`,
            `| next check | ${nextDueMs === undefined ? "none" : isoTime(nextDueMs)} |`,
          ]),
      `| open incident | ${incident === undefined ? "none" : `since ${isoTime(incident.startedMs)}: ${cell(incident.firstError)}`} |`,
    ];
    this.#write();
    return this.#setAttributes({ status, url: shownUrl, ...(name === undefined ? {} : { name, organizationId }) });
  }

  end(): void {
    setCurrentDetails("### deleted");
  }

  #write(): void {
    setCurrentDetails(
      [
        "| | |",
        "|-|-|",
        `| monitor | ${this.#monitorId} |`,
        ...this.#rows,
        `| last ignored signal | ${this.#ignored} |`,
      ].join("\n"),
    );
  }

  #setAttributes(now: ShownAttributes): ShownAttributes {
    const before: Partial<ShownAttributes> = this.#shown ?? { status: "unknown" };
    const changed = attributes.flatMap(([key, name]) => {
      const value = now[name];
      return value === undefined || value === before[name] ? [] : [{ key, value }];
    });
    if (changed.length > 0) upsertSearchAttributes(changed);
    this.#shown = now;
    return now;
  }

  #lastCheck(): string {
    if (this.#last === undefined) return "none yet";
    const { dueMs, status, error } = this.#last;
    return `${isoTime(dueMs)}, ${status}${error === undefined ? "" : `: ${cell(error)}`}`;
  }
}

/** Text from a customer's server, escaped for a table cell. */
function cell(text: string): string {
  return text.slice(0, 300).replaceAll(/[|\r\n]/g, " ");
}
