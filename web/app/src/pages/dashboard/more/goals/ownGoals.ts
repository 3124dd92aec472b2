import { type CallState, useCall } from "../../../../api/useCall.ts";
import { websites } from "../services.ts";
import { type OwnGoal, stepsOf } from "./steps.ts";

/** Steps that visitors take one after the other. */
export type OwnFunnel = { readonly name: string; readonly steps: readonly OwnGoal[] };

/** The goals and the funnels of a website. They are set in its settings. */
export type OwnGoals = { readonly goals: OwnGoal[]; readonly funnels: readonly OwnFunnel[] };

/** What a website has set as goals and as funnels. */
export function useOwnGoals(id: string, isWanted: boolean): CallState<OwnGoals> {
  return useCall(
    `goals of ${id}`,
    async (signal) => {
      const { goals } = (await websites.getWebsite({ id }, { signal })).website ?? {};
      return {
        goals: stepsOf(goals?.goals ?? []),
        funnels: (goals?.funnels ?? []).map(({ name, steps }) => ({ name, steps: stepsOf(steps) })),
      };
    },
    { isWanted },
  );
}
