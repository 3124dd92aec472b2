import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { ShownAttributes } from "../../src/uptime/run/monitorRun.ts";
import type { MonitorSettings } from "../../src/uptime/run/monitorSettings.ts";
import type { MonitorState, SlotResult } from "../../src/uptime/state/state.ts";
import { ignoredSignal } from "../payload.ts";
import { lookoutMonitorStatus, lookoutUrl } from "../searchAttributes.ts";

/** What an operator sees of a monitor in the Temporal UI. */
export class MonitorDetails {
  readonly #monitorId: string;
  #shown: ShownAttributes | undefined;
  #last: SlotResult | undefined;
  #ignored = "none";
  #rows: readonly string[] = [];

  /** Search attributes hold on from the run that this one goes on for. */
  constructor(monitorId: string, shown: ShownAttributes | undefined) {
    this.#monitorId = monitorId;
    this.#shown = shown;
  }

  checked(slot: SlotResult): void {
    this.#last = slot;
  }

  /** Tells operators of a signal that was ignored, and why. */
  ignored(signal: string, problem: string, timeMs: number): void {
    this.#ignored = cell(ignoredSignal(signal, problem, timeMs));
    this.#write();
  }

  /** Shows the state; search attributes cost an event and are only set when they change. For the run that goes on for this one. */
  show(settings: MonitorSettings, state: MonitorState, nextDueMs: number | undefined): ShownAttributes {
    const { websiteId, shownUrl } = settings;
    const status = settings.status === "active" ? state.status : settings.status;
    const { incident } = state;
    this.#rows = [
      `| URL | ${cell(shownUrl)} |`,
      `| website | ${websiteId} |`,
      `| status | ${status} |`,
      `| last check | ${this.#lastCheck()} |`,
      `| next check | ${nextDueMs === undefined ? "none" : timeText(nextDueMs)} |`,
      `| open incident | ${incident === undefined ? "none" : `since ${timeText(incident.startedMs)}: ${cell(incident.firstError)}`} |`,
    ];
    this.#write();
    return this.#setAttributes({ status, url: shownUrl });
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
        `| last signal that was ignored | ${this.#ignored} |`,
      ].join("\n"),
    );
  }

  #setAttributes(now: ShownAttributes): ShownAttributes {
    const before = this.#shown ?? { status: "unknown", url: undefined };
    const changed = [
      ...(now.status === before.status ? [] : [{ key: lookoutMonitorStatus, value: now.status }]),
      ...(now.url === before.url ? [] : [{ key: lookoutUrl, value: now.url }]),
    ];
    if (changed.length > 0) upsertSearchAttributes(changed);
    this.#shown = now;
    return now;
  }

  #lastCheck(): string {
    if (this.#last === undefined) return "none yet";
    const { dueMs, status, error } = this.#last;
    return `${timeText(dueMs)}, ${status}${error === undefined ? "" : `: ${cell(error)}`}`;
  }
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Text of a customer's server, so that it stays in its cell. */
function cell(text: string): string {
  return text.slice(0, 300).replaceAll(/[|\r\n]/g, " ");
}
