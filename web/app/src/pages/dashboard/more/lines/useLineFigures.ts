import { query } from "../../../../api/client.ts";
import { useAnswer } from "../../../../api/useAnswer.ts";
import { useCall } from "../../../../api/useCall.ts";
import { useDashboard } from "../../context.ts";
import { compared } from "../../view/question.ts";

/** How many rows are asked for: the line names the first three events, and there are five vitals. */
const fewRows = 5;

/** The figures of the lines: one question for all that is about visits, and one about clicks, to which filters of visitors do not apply. */
export function useLineFigures(isWanted: boolean, { isPrivate, hasLinks }: Rights) {
  const { view, scope, refresh } = useDashboard();
  const { filters: _, ...range } = scope;
  const asked = { ...scope, limit: fewRows };
  const visits = useCall(
    JSON.stringify(["lines", asked, isPrivate]),
    async (signal) => {
      if (!isPrivate) {
        const { data } = await query({ ...asked, parameters: ["vitals_overview"] }, { signal });
        return { vitals: data[0].data ?? undefined, events: undefined, errors: undefined };
      }
      const parameters = ["vitals_overview", "events", "error_summary"] as const;
      const { data } = await query({ ...asked, parameters }, { signal });
      const [vitals, events, errors] = data;
      return {
        vitals: vitals.data ?? undefined,
        events: events.data ?? undefined,
        errors: errors.data ?? undefined,
      };
    },
    { refresh, isWanted },
  );
  const clicks = useAnswer(
    { ...compared(range, view), parameters: ["link_total_clicks"] },
    { refresh, isWanted: isWanted && hasLinks },
  );
  return { visits, clicks };
}

type Rights = {
  /** Whether events and errors may be asked for. */
  readonly isPrivate: boolean;
  readonly hasLinks: boolean;
};
