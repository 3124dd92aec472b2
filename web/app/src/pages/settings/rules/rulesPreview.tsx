import type { PreviewRulesResponse } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { formatCount } from "../../../texts/format.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";
import { Section } from "../../../ui/section.tsx";
import { Time } from "../../../ui/time.tsx";

/** What rules would have excluded of the events that are stored. What is not stored is not known. */
export function RulesPreview({ preview }: { readonly preview: PreviewRulesResponse }) {
  const { rules: texts, excluded } = allTexts();
  const kinds: Readonly<Record<string, string>> = excluded.rules;
  const unknown: Readonly<Record<string, string>> = texts.unknown;
  const { events, kinds: found } = preview;
  return (
    <Section name="preview" title={texts.previewTitle}>
      <p role="status">
        {found.length === 0
          ? texts.noRules
          : preview.excluded === undefined
            ? texts.nothingKnown
            : texts.wouldExclude(formatCount(preview.excluded), formatCount(events))}{" "}
        {texts.since} <Time at={preview.from} />.
      </p>
      {found.length > 0 && (
        <table class="counts">
          <caption class="said">{texts.previewTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.kind}</th>
              <th scope="col">{excluded.events}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ kind, excluded: count, unknown: reason }) => (
              <tr key={kind} data-kind={kind}>
                <th scope="row">{kinds[kind] ?? kind}</th>
                <td>
                  {count === undefined ? (unknown[kind] ?? reason) : <data value={count}>{formatCount(count)}</data>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
