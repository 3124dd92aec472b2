import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { StatusPageService } from "../../../../../packages/client-js/src/gen/lookout/v1/status_page_pb.ts";
import { clientOf } from "../../api/client.ts";
import { allTexts } from "../../texts/settings/settingsTexts.ts";
import { ActionButton } from "../../ui/actionButton.tsx";

const statusPages = clientOf(StatusPageService);

type Previewed = {
  readonly title: string;
  readonly logoText: string;
  readonly description: string;
  readonly accentColor: string;
  readonly groups: { name: string; monitorIds: string[] }[];
};

type PreviewProps = {
  readonly websiteId: string;
  readonly pageId?: string;
  /** Reads the fields of the form that this is in. */
  readonly fieldsOf: (value: (name: string) => string) => Previewed;
};

/** The page as it would be with what the form says now. Nothing is kept. */
export function Preview({ websiteId, pageId, fieldsOf }: PreviewProps) {
  const { statusPages: texts } = allTexts();
  const box = useRef<HTMLDivElement>(null);
  const src = useSignal("");
  const show = async (): Promise<void> => {
    const form = box.current?.closest("form");
    if (!form) return;
    const data = new FormData(form);
    const { title, logoText, description, accentColor, groups } = fieldsOf((name) => String(data.get(name) ?? ""));
    const { url } = await statusPages.previewStatusPage({
      websiteId,
      ...(pageId === undefined ? {} : { pageId }),
      title: title || texts.untitled,
      logoText,
      description,
      accentColor,
      groups,
    });
    // The app may be at another address than the one that the service knows.
    src.value = `status/${url.split("/").at(-1)}`;
  };
  return (
    <div class="preview-box" ref={box}>
      <div class="entry-tools">
        <ActionButton onAct={show}>{src.value === "" ? texts.preview : texts.previewAgain}</ActionButton>
        {src.value !== "" && (
          <a href={src.value} target="_blank" rel="external noopener">
            {texts.previewInTab}
          </a>
        )}
      </div>
      {src.value !== "" && <iframe src={src.value} title={texts.previewTitle} sandbox="allow-popups" />}
    </div>
  );
}
