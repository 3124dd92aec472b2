import { useEffect } from "preact/hooks";
import { session } from "../api/session.ts";
import { loadWebsites, websites } from "../api/websites.ts";
import { t } from "../texts/texts.ts";
import { ErrorNotice } from "../ui/errorNotice.tsx";

/** The websites of the organization. */
export default function Start() {
  const organizationId = session.value?.organizationId;
  useEffect(() => void loadWebsites(), [organizationId]);
  const state = websites.value;
  if (state.kind === "loading") return null;
  if (state.kind === "failed") return <ErrorNotice error={state.error} onRetry={() => void loadWebsites()} />;
  return (
    <section class="card">
      <h1>{state.websites.length === 0 ? t().websites.none : t().websites.title}</h1>
      {state.websites.length === 0 && <p>{t().websites.noneToSee}</p>}
      <ul>
        {state.websites.map(({ id, name, domain }) => (
          <li key={id}>
            {name} <span class="field-hint">{domain}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
