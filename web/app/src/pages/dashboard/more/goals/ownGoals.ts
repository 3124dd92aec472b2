import { signal } from "@preact/signals";
import { type CallState, useCall } from "../../../../api/useCall.ts";
import { websites } from "../services.ts";
import { type OwnGoal, stepsOf } from "./steps.ts";

/** The goals and the funnel of a website. */
export type OwnGoals = { readonly goals: OwnGoal[]; readonly funnel: OwnGoal[] };

/** Counts what was saved, so that every part that shows goals asks again. */
const saves = signal(0);

/** What a website has set as goals and as the steps of its funnel. */
export function useOwnGoals(id: string, isWanted: boolean): CallState<OwnGoals> {
  return useCall(
    `goals of ${id}`,
    async (signal) => {
      const { goals } = (await websites.getWebsite({ id }, { signal })).website ?? {};
      return { goals: stepsOf(goals?.goals ?? []), funnel: stepsOf(goals?.funnel ?? []) };
    },
    { refresh: saves.value, isWanted },
  );
}

/** Saves goals, or steps, and leaves the others as they are. */
export async function saveGoals(id: string, own: OwnGoals, more: Partial<OwnGoals>): Promise<void> {
  await websites.updateWebsite({ id, goals: { ...own, ...more } });
  saves.value++;
}
