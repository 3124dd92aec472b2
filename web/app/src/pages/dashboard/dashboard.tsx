import { hrefTo } from "../../router/router.ts";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { t } from "../../texts/texts.ts";
import { Overview } from "./overview.tsx";

/** /dashboard/<website>: the overview of a website, for people of its organization. */
export default function Dashboard() {
  return (
    <WebsitePage>
      {({ id, name, timezone, publicAccess }) => (
        <Overview key={id} websiteId={id} name={name} timezone={timezone} isMember>
          {publicAccess && (
            <p class="field-hint">
              <a href={hrefTo(["shared", id])}>{t().shared.address}</a>
            </p>
          )}
        </Overview>
      )}
    </WebsitePage>
  );
}
