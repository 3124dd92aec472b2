import type { Link } from "../../../../../packages/client-js/src/gen/lookout/v1/links_pb.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/useCall.ts";
import { goTo, hrefTo } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { useTitle } from "../../shell/useTitle.ts";
import { formatCount } from "../../texts/format.ts";
import { formatInstant } from "../../texts/formatTime.ts";
import { t } from "../../texts/texts.ts";
import { ConfirmButton } from "../../ui/confirmButton.tsx";
import { CopyButton } from "../../ui/copyButton.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useEvery } from "../../ui/useEvery.ts";
import { Clicks } from "./clicks.tsx";
import { withoutScheme } from "./linkList.tsx";
import { links, nameOf, tagsOf } from "./linkService.ts";
import type { LinksProps } from "./linksProps.ts";
import { QrCode } from "./qrCode.tsx";

/** /links/<website>/<link>: a short link and its clicks. */
export function LinkPage({ website, linkId: id }: LinksProps & { readonly linkId: string }) {
  const refresh = useEvery(refreshMs);
  const state = useCall(`link ${id}`, async (signal) => (await links.getLink({ id }, { signal })).link, { refresh });
  if (state.error?.code === "NOT_FOUND") return <NotFound />;
  return (
    <div class="page">
      <p>
        <a href={hrefTo(["links", website.id])}>
          <span aria-hidden="true" class="back-arrow" />
          {t().links.allLinks}
        </a>
      </p>
      <Loaded state={state} height="40rem">
        {(link) =>
          link === undefined ? null : (
            <Shown link={link} websiteId={website.id} zone={website.timezone} refresh={refresh} />
          )
        }
      </Loaded>
    </div>
  );
}

/** How often it asks for clicks while it is in front. */
const refreshMs = 10_000;

type ShownProps = {
  readonly link: Link;
  readonly websiteId: string;
  readonly zone: string;
  /** Asks again when it changes. */
  readonly refresh: number;
};

function Shown({ link, websiteId, zone, refresh }: ShownProps) {
  const { links: texts } = t();
  useTitle(nameOf(link));
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{nameOf(link)}</h1>
          <p class="link-short">
            <a href={link.shortUrl} rel="external noreferrer noopener" target="_blank">
              {withoutScheme(link.shortUrl)}
            </a>
            <CopyButton text={link.shortUrl} about={nameOf(link)} />
            {tagsOf(link).map((tag) => (
              <span class="tag" key={tag}>
                {tag}
              </span>
            ))}
          </p>
        </div>
        {may("write:links") && (
          <div class="page-tools">
            <a class="button" href={hrefTo(["links", websiteId, link.id, "edit"])}>
              {texts.edit}
            </a>
            <ConfirmButton
              class="button button-bad"
              label={texts.delete}
              title={texts.deleteTitle(nameOf(link))}
              text={texts.deleteText}
              onConfirm={async () => {
                await links.deleteLink({ id: link.id });
                goTo(["links", websiteId]);
              }}
            />
          </div>
        )}
      </div>
      <div class="link-facts">
        <dl class="facts">
          <Fact name={texts.target} value={link.targetUrl} />
          <div class="fact">
            <dt>{texts.allClicks}</dt>
            <dd class="fact-figure">
              <data value={link.clicks} data-figure="clicks">
                {link.clicksKnown ? formatCount(link.clicks) : "–"}
              </data>
            </dd>
            {link.clickLimit !== undefined && <dd class="field-hint">{texts.ofLimit(formatCount(link.clickLimit))}</dd>}
          </div>
          <Fact name={texts.created} value={formatInstant(link.createdAt, zone)} />
          <Fact
            name={texts.expires}
            value={link.expiresAt === undefined ? texts.never : formatInstant(link.expiresAt, zone)}
          />
          {link.expiredUrl !== undefined && <Fact name={texts.fields.expiredUrl} value={link.expiredUrl} />}
          {link.iosUrl !== undefined && <Fact name={texts.fields.iosUrl} value={link.iosUrl} />}
          {link.androidUrl !== undefined && <Fact name={texts.fields.androidUrl} value={link.androidUrl} />}
          {link.desktopUrl !== undefined && <Fact name={texts.fields.desktopUrl} value={link.desktopUrl} />}
          {campaignOf(link) !== "" && <Fact name={texts.campaign} value={campaignOf(link)} />}
        </dl>
        <QrCode slug={link.slug} name={nameOf(link)} />
      </div>
      <Clicks linkId={link.id} zone={zone} refresh={refresh} />
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The campaign as it is appended to the target. */
function campaignOf({ utm }: Link): string {
  if (utm === undefined) return "";
  const { source, medium, campaign, term, content } = utm;
  return Object.entries({ source, medium, campaign, term, content })
    .flatMap(([name, value]) => (value === undefined || value === "" ? [] : [`utm_${name}=${value}`]))
    .join(" · ");
}
