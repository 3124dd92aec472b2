import { useEffect } from "preact/hooks";
import type { Website } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { may } from "../api/session.ts";
import { allTexts } from "../texts/settings/settingsTexts.ts";
import { Section } from "../ui/section.tsx";
import { InstallationCheck } from "./installationCheck.tsx";
import { Snippet } from "./snippet.tsx";
import { useFirstEvent, type Waiting } from "./waitForEvent.ts";
import "../styles/panels.css";
import "../styles/settings.css";
import "../styles/firstEvent.css";

export type FirstEventProps = {
  readonly website: Website;
  /** Called once the website's first event has arrived. */
  readonly onArrived?: () => void;
  /** Skips the guide. */
  readonly onSkip?: () => void;
};

/** How to count a website: what to put into its pages, and whether its first event has arrived. */
export default function FirstEvent({ website, onArrived, onSkip }: FirstEventProps) {
  const { firstEvent } = allTexts();
  const state = useFirstEvent(website);
  useEffect(() => {
    if (state === "arrived") onArrived?.();
  }, [state]);
  return (
    <Section name="firstEvent" title={firstEvent.title} text={firstEvent.text(website.domain)}>
      <ol class="steps">
        <li>
          <h3>{firstEvent.insert}</h3>
          <Snippet websiteId={website.id} />
        </li>
        <li>
          <h3>{firstEvent.open}</h3>
          <Arrival state={state} />
          {state !== undefined && state !== "arrived" && (
            <details class="fold">
              <summary>{firstEvent.nothingArrives}</summary>
              {may("update") && <InstallationCheck website={website} />}
              <ul class="hints">
                {firstEvent.hints.map((hint) => (
                  <li key={hint}>{hint}</li>
                ))}
              </ul>
            </details>
          )}
        </li>
      </ol>
      {onSkip !== undefined && (
        <div>
          <button type="button" class="button" onClick={onSkip}>
            {firstEvent.skip}
          </button>
        </div>
      )}
    </Section>
  );
}

function Arrival({ state }: { readonly state: Waiting | undefined }) {
  const { firstEvent, app } = allTexts();
  return (
    <p class="pulse" role="status" data-state={state}>
      <span class="pulse-dot" aria-hidden="true" />
      {state === undefined ? app.loading : firstEvent.states[state]}
    </p>
  );
}
