import { AuthService } from "../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../../api/client.ts";
import { loadSession } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";

const auth = clientOf(AuthService);

/** Where the person is signed in. */
export function Sessions() {
  const { yourAccount: texts } = allTexts();
  const state = useCall("sessions", async (signal) => {
    const { sessions } = await auth.listSessions({}, { signal });
    return sessions;
  });
  return (
    <Section name="sessions" title={texts.sessions} text={texts.sessionsText}>
      <Loaded state={state} height="6rem">
        {(sessions) => (
          <ul class="rows">
            {sessions.map(({ id, device: known, createdAt, extendedAt, expiresAt, current }) => {
              // The service's words for an unknown device are English.
              const device = known === "" || known === "Unknown device" ? texts.unknownDevice : known;
              return (
                <li key={id} class="row" data-session={current ? "current" : "other"}>
                  <div class="row-main">
                    <span class="row-name">
                      {device} {current && <span class="mark mark-good">{texts.current}</span>}
                    </span>
                    <span class="row-facts">
                      <span>
                        {texts.since} <Time at={createdAt} />
                      </span>
                      <span>
                        {texts.lastUsed} <Time at={extendedAt} />
                      </span>
                      <span>
                        {texts.ends} <Time at={expiresAt} />
                      </span>
                    </span>
                  </div>
                  <div class="row-tools">
                    <ActionButton
                      about={device}
                      onAct={async () => {
                        await auth.revokeSession({ id });
                        if (current) await loadSession();
                        else state.reload();
                      }}
                    >
                      {texts.end}
                    </ActionButton>
                  </div>
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
