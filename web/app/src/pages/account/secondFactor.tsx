import { useSignal } from "@preact/signals";
import {
  AuthService,
  type EnableSecondFactorResponse,
} from "../../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { clientOf } from "../../api/client.ts";
import { loadSession, session } from "../../api/session.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../ui/copyButton.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { QrCode } from "./qrCode.tsx";

const auth = clientOf(AuthService);

/** Sets up or removes a second factor. Its secret and backup codes are shown once. */
export function SecondFactor() {
  const { yourAccount: texts } = allTexts();
  const isAsking = useSignal<"enable" | "disable" | undefined>(undefined);
  /** Kept only until the code is confirmed and the window is closed. */
  const begun = useSignal<EnableSecondFactorResponse | undefined>(undefined);
  const hasSecondFactor = session.value?.hasSecondFactor ?? false;
  const close = (): void => {
    isAsking.value = undefined;
    begun.value = undefined;
  };
  return (
    <Section name="secondFactor" title={texts.secondFactor} text={texts.secondFactorText}>
      <p data-second-factor={hasSecondFactor ? "on" : "off"}>
        <span class={hasSecondFactor ? "mark mark-good" : "mark"}>{hasSecondFactor ? texts.on : texts.off}</span>
      </p>
      <div>
        <button
          type="button"
          class={hasSecondFactor ? "button button-bad" : "button button-main"}
          onClick={() => {
            isAsking.value = hasSecondFactor ? "disable" : "enable";
          }}
        >
          {hasSecondFactor ? texts.removeSecondFactor : texts.setUpSecondFactor}
        </button>
      </div>
      {isAsking.value === "disable" && (
        <Dialog title={texts.removeSecondFactor} onClose={close}>
          <p>{texts.removeSecondFactorText}</p>
          <Form
            submit={texts.removeSecondFactor}
            onSubmit={async (value) => {
              await auth.disableSecondFactor({ password: value("password") });
              close();
              await loadSession();
            }}
          >
            <Field
              name="password"
              type="password"
              label={texts.currentPassword}
              autoComplete="current-password"
              autoFocus
            />
          </Form>
        </Dialog>
      )}
      {isAsking.value === "enable" && begun.value === undefined && (
        <Dialog title={texts.setUpSecondFactor} onClose={close}>
          <Form
            submit={texts.go}
            onSubmit={async (value) => {
              begun.value = await auth.enableSecondFactor({ password: value("password") });
            }}
          >
            <Field
              name="password"
              type="password"
              label={texts.currentPassword}
              autoComplete="current-password"
              autoFocus
            />
          </Form>
        </Dialog>
      )}
      {begun.value !== undefined && <SetUp begun={begun.value} onClose={close} />}
    </Section>
  );
}

type SetUpProps = { readonly begun: EnableSecondFactorResponse; readonly onClose: () => void };

/** The QR code, then the backup codes once the authenticator has proved that it works. */
function SetUp({ begun: { totpUri, backupCodes }, onClose }: SetUpProps) {
  const { yourAccount: texts } = allTexts();
  const isProved = useSignal(false);
  const secret = URL.parse(totpUri)?.searchParams.get("secret") ?? "";
  if (isProved.value)
    return (
      <Dialog title={texts.backupTitle} onClose={onClose}>
        <p>{texts.backupText}</p>
        <ul class="code recovery-codes mono" data-backup-codes>
          {backupCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div class="dialog-foot">
          <CopyButton text={backupCodes.join("\n")} about={texts.backupTitle} class="button button-main" />
          <button type="button" class="button" onClick={onClose}>
            {texts.stored}
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={texts.setUpSecondFactor} onClose={onClose}>
      <p>{texts.scan}</p>
      <QrCode text={totpUri} label={texts.qrCode} />
      <details class="fold">
        <summary>{texts.byHand}</summary>
        <p class="with-copy">
          <code class="mono" data-totp-secret>
            {secret}
          </code>
          <CopyButton text={secret} about={texts.secret} />
        </p>
      </details>
      <Form
        submit={texts.confirmCode}
        errorTexts={{ VALIDATION_ERROR: texts.wrongCode }}
        onSubmit={async (value) => {
          await auth.verifySecondFactor({ code: value("code").replaceAll(" ", "") });
          isProved.value = true;
          await loadSession();
        }}
      >
        <Field
          name="code"
          label={texts.code}
          hint={texts.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          minLength={6}
        />
      </Form>
    </Dialog>
  );
}
