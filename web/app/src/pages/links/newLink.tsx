import { may } from "../../api/session.ts";
import { goTo, hrefTo } from "../../router/router.ts";
import { t } from "../../texts/texts.ts";
import { NoPermission } from "../../ui/noPermission.tsx";
import { type LinkFields, LinkForm } from "./linkForm.tsx";
import { links } from "./linkService.ts";
import type { LinksProps } from "./linksProps.ts";

/** /links/<website>/new. */
export function NewLink({ website: { id: websiteId, timezone } }: LinksProps) {
  const { links: texts } = t();
  if (!may("write:links")) return <NoPermission />;
  return (
    <div class="page page-narrow">
      <h1>{texts.newLink}</h1>
      <LinkForm
        link={undefined}
        zone={timezone}
        submit={texts.create}
        cancelHref={hrefTo(["links", websiteId])}
        onSubmit={async (fields) => {
          const { link } = await links.createLink({ websiteId, ...given(fields) });
          goTo(["links", websiteId, ...(link === undefined ? [] : [link.id])]);
        }}
      />
    </div>
  );
}

/** Leaves out empty texts: they mean "none" to the call that changes a link, but the one that creates it wants them left out. */
function given({ slug, targetUrl, utm, clickLimit, ...texts }: LinkFields) {
  const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== ""));
  return { ...filled, targetUrl, utm, clickLimit, ...(slug === "" ? {} : { slug }) };
}
