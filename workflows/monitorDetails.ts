import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { MonitorRun, ShownAttributes } from "../src/uptime/monitorRun.ts";
import type { MonitorSettings } from "../src/uptime/monitorSettings.ts";
import type { MonitorState, SlotResult } from "../src/uptime/state.ts";
import { lookoutMonitorStatus, lookoutUrl, shownUrl } from "./searchAttributes.ts";

/** What an operator sees of a monitor in the Temporal UI. */
export class MonitorDetails {
  #shown: ShownAttributes | undefined;
  #last: SlotResult | undefined;

  /** Search attributes hold on from the run that this one goes on for: what that run had shown, not what it had been told last. */
  constructor({ settings, state, shown }: MonitorRun) {
    this.#shown = shown ?? (settings && { status: statusOf(settings, state), url: settings.target.url });
  }

  /** For the run that goes on for this one. */
  get shown(): ShownAttributes | undefined {
    return this.#shown;
  }

  checked(slot: SlotResult): void {
    this.#last = slot;
  }

  /** Shows the state; search attributes cost an event and are only set when they change. */
  show(settings: MonitorSettings, state: MonitorState, nextDueMs: number | undefined): void {
    const { monitorId, websiteId, target } = settings;
    const status = statusOf(settings, state);
    this.#setAttributes(status, target.url);
    const { incident } = state;
    setCurrentDetails(
      [
        "| | |",
        "|-|-|",
        `| monitor | ${monitorId} |`,
        `| URL | ${cell(target.url)} |`,
        `| website | ${websiteId} |`,
        `| status | ${status} |`,
        `| last check | ${this.#lastCheck()} |`,
        `| next check | ${nextDueMs === undefined ? "none" : timeText(nextDueMs)} |`,
        `| open incident | ${incident === undefined ? "none" : `since ${timeText(incident.startedMs)}: ${cell(incident.firstError)}`} |`,
      ].join("\n"),
    );
  }

  end(): void {
    setCurrentDetails("### deleted");
  }

  #setAttributes(status: string, url: string): void {
    const shown = this.#shown ?? { status: "unknown", url: undefined };
    const changed = [
      ...(status === shown.status ? [] : [{ key: lookoutMonitorStatus, value: status }]),
      ...(url === shown.url ? [] : [{ key: lookoutUrl, value: shownUrl(url) }]),
    ];
    if (changed.length > 0) upsertSearchAttributes(changed);
    this.#shown = { status, url };
  }

  #lastCheck(): string {
    if (this.#last === undefined) return "none yet";
    const { dueMs, status, error } = this.#last;
    return `${timeText(dueMs)}, ${status}${error === undefined ? "" : `: ${cell(error)}`}`;
  }
}

function statusOf(settings: MonitorSettings, state: MonitorState): string {
  return settings.status === "active" ? state.status : settings.status;
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Text of a customer's server, so that it stays in its cell. */
function cell(text: string): string {
  return text.slice(0, 300).replaceAll(/[|\r\n]/g, " ");
}
