import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiKey, ApiKeyService } from "../../../../../../packages/client-js/src/gen/lookout/v1/api_keys_pb.ts";
import { clientOf } from "../../../api/client.ts";
import { useCall } from "../../../api/useCall.ts";
import { websiteName } from "../../../api/websiteName.ts";
import { loadWebsites } from "../../../api/websites.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { ConfirmButton } from "../../../ui/confirmButton.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";
import { KeyText, type ShownKey } from "./keyText.tsx";
import { NewKey } from "./newKey.tsx";

const client = clientOf(ApiKeyService);

/** The organization's API keys. */
export function KeysPage() {
  const { apiKeys: texts } = allTexts();
  useEffect(() => void loadWebsites(), []);
  const isMaking = useSignal(false);
  /** Kept only until its window is closed. */
  const shown = useSignal<ShownKey | undefined>(undefined);
  const state = useCall("keys", async (signal) => {
    const { apiKeys } = await client.listApiKeys({}, { signal });
    return apiKeys;
  });
  const showText = (key: ShownKey): void => {
    shown.value = key;
    state.reload();
  };
  const isInForce = (key: ApiKey): boolean => key.revokedAt === undefined;
  return (
    <>
      <Section
        name="keys"
        title={texts.keys}
        text={texts.text}
        tools={
          <button
            type="button"
            class="button button-main"
            onClick={() => {
              isMaking.value = true;
            }}
          >
            {texts.new}
          </button>
        }
      >
        <Loaded state={state} height="8rem" empty={texts.none} isEmpty={(keys) => !keys.some(isInForce)}>
          {(keys) => (
            <ul class="rows">
              {keys.filter(isInForce).map((key) => (
                <Row key={key.id} apiKey={key} onText={showText} onChange={state.reload} />
              ))}
            </ul>
          )}
        </Loaded>
        {state.value?.some((key) => !isInForce(key)) && (
          <details class="fold">
            <summary>{texts.revokedKeys}</summary>
            <ul class="rows">
              {state.value
                .filter((key) => !isInForce(key))
                .map((key) => (
                  <Row key={key.id} apiKey={key} onText={showText} onChange={state.reload} />
                ))}
            </ul>
          </details>
        )}
      </Section>
      {isMaking.value && (
        <NewKey
          onMade={showText}
          onClose={() => {
            isMaking.value = false;
          }}
        />
      )}
      {shown.value !== undefined && (
        <KeyText
          shown={shown.value}
          onClose={() => {
            shown.value = undefined;
          }}
        />
      )}
    </>
  );
}

type RowProps = {
  readonly apiKey: ApiKey;
  readonly onText: (key: ShownKey) => void;
  readonly onChange: () => void;
};

function Row({ apiKey, onText, onChange }: RowProps) {
  const { apiKeys: texts } = allTexts();
  const { id, name, prefix, scopes, websiteIds, createdAt, expiresAt, revokedAt, lastUsedAt } = apiKey;
  const isExpired = expiresAt !== undefined && Date.parse(expiresAt) < Date.now();
  return (
    <li class="row" data-key={name}>
      <div class="row-main">
        <span class="row-name">
          {name} {revokedAt !== undefined && <span class="mark mark-bad">{texts.revoked}</span>}
          {isExpired && <span class="mark mark-bad">{texts.expired}</span>}
        </span>
        <span class="row-facts">
          <code class="mono">{prefix}…</code>
          <span>{lastUsedAt === undefined ? texts.neverUsed : [texts.lastUsed, " ", <Time at={lastUsedAt} />]}</span>
          <span>
            {texts.createdAt} <Time at={createdAt} />
          </span>
          {expiresAt !== undefined && (
            <span>
              {texts.expiresAt} <Time at={expiresAt} />
            </span>
          )}
          {revokedAt !== undefined && (
            <span>
              {texts.revokedAt} <Time at={revokedAt} />
            </span>
          )}
        </span>
        <span class="row-facts mono">{scopes.join(" ")}</span>
        <span class="row-facts">
          {websiteIds.length === 0
            ? texts.allWebsites
            : websiteIds.map((website) => <span key={website}>{websiteName(website)}</span>)}
        </span>
      </div>
      {revokedAt === undefined && (
        <div class="row-tools">
          {!isExpired && (
            <ConfirmButton
              label={texts.rotate}
              about={name}
              title={texts.rotateTitle(name)}
              text={texts.rotateText}
              onConfirm={async () => {
                const { key } = await client.rotateApiKey({ id });
                onText({ name, key });
              }}
            />
          )}
          <ConfirmButton
            label={texts.revoke}
            about={name}
            title={texts.revokeTitle(name)}
            text={texts.revokeText}
            class="button button-bad"
            onConfirm={async () => {
              await client.revokeApiKey({ id });
              onChange();
            }}
          />
        </div>
      )}
    </li>
  );
}
