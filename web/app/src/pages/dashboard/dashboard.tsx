import { hrefTo } from "../../router/router.ts";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { t } from "../../texts/texts.ts";
import { Overview } from "./overview.tsx";
import { UntilFirstEvent } from "./untilFirstEvent.tsx";

export { askFirst as start } from "./askFirst.ts";

/** /dashboard/<website>: the overview of a website, for people of its organization. */
export default function Dashboard() {
  return (
    <WebsitePage>
      {(website) => (
        <UntilFirstEvent key={website.id} website={website}>
          <Overview websiteId={website.id} name={website.name} timezone={website.timezone} isMember>
            {website.publicAccess && (
              <p class="field-hint">
                <a href={hrefTo(["shared", website.id])}>{t().shared.address}</a>
              </p>
            )}
          </Overview>
        </UntilFirstEvent>
      )}
    </WebsitePage>
  );
}
