import { websiteName } from "../../../api/websiteName.ts";
import { allTexts } from "../../../texts/settings/settingsTexts.ts";

type ShownLimitsProps = { readonly websiteIds: readonly string[]; readonly scopes: readonly string[] };

/** The websites that a person is limited to, and the rights on them; nothing for a person who reaches all. */
export function ShownLimits({ websiteIds, scopes }: ShownLimitsProps) {
  const { people, apiKeys } = allTexts();
  if (websiteIds.length === 0) return null;
  const names: Readonly<Record<string, string>> = { ...apiKeys.scopes, admin: people.adminRight };
  return (
    <>
      <span class="row-facts" data-limits>
        <span>{people.onlyOn}</span>
        {websiteIds.map((id) => (
          <span key={id}>{websiteName(id)}</span>
        ))}
      </span>
      {scopes.length > 0 && (
        <span class="row-facts">
          <span>{people.onlyMay}</span>
          {scopes.map((scope) => (
            <span key={scope}>{names[scope] ?? scope}</span>
          ))}
        </span>
      )}
    </>
  );
}
