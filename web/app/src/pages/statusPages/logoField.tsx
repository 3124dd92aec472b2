import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { StatusPage } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { StatusPageService } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { clientOf } from "../../api/client.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";
import { ErrorNotice } from "../../ui/errorNotice.tsx";
import { useSending } from "../../ui/useSending.ts";

const statusPages = clientOf(StatusPageService);
const mostBytes = 524_288;

type LogoFieldProps = { readonly page: StatusPage; readonly onChange: () => void };

/** The picture of a page, which is kept as soon as it is chosen. */
export function LogoField({ page, onChange }: LogoFieldProps) {
  const { statusPages: texts } = allTexts();
  const id = useId();
  const { isSending, error, send } = useSending();
  const isTooLarge = useSignal(false);
  const upload = async (file: File): Promise<void> => {
    isTooLarge.value = file.size > mostBytes;
    if (isTooLarge.value) return;
    await statusPages.setStatusPageLogo({ id: page.id, image: new Uint8Array(await file.arrayBuffer()) });
    onChange();
  };
  return (
    <div class="field logo-field">
      <label for={id}>{texts.logo}</label>
      {page.logoUrl !== "" && (
        <img src={`status/${page.logoUrl.split("/").at(-1)}`} alt={texts.logoOf(page.title)} height={40} />
      )}
      <input
        id={id}
        type="file"
        class="input"
        accept="image/png,image/jpeg,image/webp"
        disabled={isSending}
        aria-describedby={`${id}-hint`}
        aria-invalid={isTooLarge.value}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) void send(() => upload(file));
          // The same file may be chosen again once it is mended.
          currentTarget.value = "";
        }}
      />
      <p id={`${id}-hint`} class={isTooLarge.value ? "field-error" : "field-hint"}>
        {isTooLarge.value ? texts.logoTooLarge : texts.logoHint}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      {page.logoUrl !== "" && (
        <div class="entry-tools">
          <ActionButton
            about={page.title}
            onAct={async () => {
              await statusPages.setStatusPageLogo({ id: page.id });
              onChange();
            }}
          >
            {texts.removeLogo}
          </ActionButton>
        </div>
      )}
    </div>
  );
}
