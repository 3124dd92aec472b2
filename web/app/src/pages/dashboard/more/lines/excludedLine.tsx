import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { place } from "../../../../router/router.ts";
import { t } from "../../../../texts/texts.ts";
import { ExcludedPanel, type ExcludedView } from "../excluded/excludedPanel.tsx";
import { excludedFacts, isAllUnknown } from "../excluded/excludedRows.ts";
import { type Excluded, useExcluded } from "../excluded/useExcluded.ts";
import { Facts } from "./facts.tsx";
import { Line } from "./line.tsx";
import { Waiting } from "./said.tsx";

/** What was sent and is in no figure. An address with `open=ai_systems`, as the command menu has it, opens the list of AI systems. */
export function ExcludedLine({ isWanted }: { readonly isWanted: boolean }) {
  const asksAi = place.value.query.get("open") === "ai_systems";
  const { excluded, panels } = t();
  const view = useSignal<ExcludedView>("reasons");
  const { state, question } = useExcluded(isWanted || asksAi);
  useEffect(() => {
    if (asksAi) view.value = "ai";
  }, [asksAi, view]);
  return (
    <Line
      id="excluded"
      title={excluded.title}
      isAsked={asksAi}
      facts={
        state.value !== undefined ? (
          <Said value={state.value} />
        ) : state.error === undefined ? (
          <Waiting />
        ) : (
          panels.notLoaded
        )
      }
    >
      <ExcludedPanel
        state={state}
        question={question}
        view={view.value}
        onView={(chosen) => {
          view.value = chosen;
        }}
      />
    </Line>
  );
}

function Said({ value: { days, rows } }: { readonly value: Excluded }) {
  const { excluded } = t();
  if (isAllUnknown(days)) return <>{excluded.notKnown}</>;
  const facts = excludedFacts(rows, t());
  return facts.length === 0 ? <>{excluded.nothing}</> : <Facts facts={facts} />;
}
