import { allTexts } from "../texts/settings/settingsTexts.ts";

/** Says that a form was saved. The line exists before, so that nothing moves. */
export function SavedLine({ isSaved }: { readonly isSaved: boolean }) {
  return (
    <p class="saved" role="status">
      {isSaved ? allTexts().settings.saved : ""}
    </p>
  );
}
