import { t } from "../texts/texts.ts";

/** Says that a form was saved. Its line is there before, so that nothing moves. */
export function SavedLine({ isSaved }: { readonly isSaved: boolean }) {
  return (
    <p class="saved" role="status">
      {isSaved ? t().settings.saved : ""}
    </p>
  );
}
