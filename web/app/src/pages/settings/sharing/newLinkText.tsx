import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { CopyButton } from "../../../ui/copyButton.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { embedSnippet } from "./embedSnippet.ts";

/** A link, which the service returns only once. */
export type MadeLink = { readonly url: string; readonly name: string; readonly isEmbeddable: boolean };

type NewLinkTextProps = { readonly made: MadeLink; readonly onClose: () => void };

/** Shows a link, and the HTML that embeds it, until the window is closed. */
export function NewLinkText({ made: { url, name, isEmbeddable }, onClose }: NewLinkTextProps) {
  const { sharing: texts } = allTexts();
  const snippet = embedSnippet(url, name);
  return (
    <Dialog title={texts.linkOf(name)} onClose={onClose}>
      <p>{texts.once}</p>
      <p class="code mono" data-share-url>
        {url}
      </p>
      {isEmbeddable ? (
        <>
          <p>{texts.embed}</p>
          <p class="code mono" data-share-snippet>
            {snippet}
          </p>
        </>
      ) : (
        <p>{texts.noEmbed}</p>
      )}
      <div class="dialog-foot">
        <CopyButton text={url} about={texts.link} class="button button-main" />
        {isEmbeddable && <CopyButton text={snippet} about={texts.snippet} class="button" />}
        <button type="button" class="button" onClick={onClose}>
          {texts.stored}
        </button>
      </div>
    </Dialog>
  );
}
