import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { goTo, hrefTo } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { t } from "../../texts/texts.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { NoPermission } from "../../ui/noPermission.tsx";
import { LinkForm } from "./linkForm.tsx";
import { links, nameOf } from "./linkService.ts";
import type { LinksProps } from "./linksProps.ts";

/** /links/<website>/<link>/edit. */
export function EditLink({ website, linkId: id }: LinksProps & { readonly linkId: string }) {
  const { links: texts } = t();
  const state = useCall(`link ${id}`, async (signal) => (await links.getLink({ id }, { signal })).link);
  if (!may("write:links")) return <NoPermission />;
  if (state.error?.code === "NOT_FOUND") return <NotFound />;
  const place = ["links", website.id, id];
  return (
    <div class="page page-narrow">
      <Loaded state={state} height="40rem">
        {(link) =>
          link === undefined ? null : (
            <>
              <h1>{texts.editTitle(nameOf(link))}</h1>
              <LinkForm
                link={link}
                zone={website.timezone}
                submit={texts.save}
                cancelHref={hrefTo(place)}
                onSubmit={async (fields) => {
                  await links.updateLink({ id, ...fields });
                  goTo(place);
                }}
              />
            </>
          )
        }
      </Loaded>
    </div>
  );
}
