import { type Website, WebsiteService } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import { clientOf } from "../api/client.ts";
import { may } from "../api/session.ts";
import { loadWebsites } from "../api/websites.ts";
import { goTo } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { ConfirmButton } from "../ui/confirmButton.tsx";

const websites = clientOf(WebsiteService);

/** The domain of the website with demo data, from src/demo/demoWebsite.ts. */
const demoDomain = "demo-shop.invalid";

/** Says on every page of the website with demo data that its figures are invented, and offers to remove it. */
export function DemoNotice({ website: { id, domain } }: { readonly website: Website }) {
  const { demo } = t();
  if (domain !== demoDomain) return null;
  const remove = async (): Promise<void> => {
    await websites.deleteWebsite({ id });
    await loadWebsites(true);
    goTo([], { replace: true });
  };
  return (
    <div class="notice demo-notice" role="note">
      <p>{demo.text}</p>
      {may("delete") && (
        <ConfirmButton label={demo.remove} title={demo.removeTitle} text={demo.removeText} onConfirm={remove} />
      )}
    </div>
  );
}
