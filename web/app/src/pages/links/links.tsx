import { place } from "../../router/router.ts";
import { NotFound } from "../../shell/notFound.tsx";
import { WebsitePage } from "../../shell/websitePage.tsx";
import { EditLink } from "./editLink.tsx";
import { LinkList } from "./linkList.tsx";
import { LinkPage } from "./linkPage.tsx";
import type { LinksProps } from "./linksProps.ts";
import { NewLink } from "./newLink.tsx";
import "../../styles/panels.css";
import "../../styles/uptime.css";
import "../../styles/links.css";

/** /links/<website>: its short links. The third segment of the path is a link, or `new`. */
export default function Links() {
  return <WebsitePage>{(website) => <Part key={website.id} website={website} />}</WebsitePage>;
}

function Part({ website }: LinksProps) {
  const [, , linkId, action, ...more] = place.value.segments;
  if (more.length > 0) return <NotFound />;
  if (linkId === undefined) return <LinkList website={website} />;
  if (linkId === "new" && action === undefined) return <NewLink website={website} />;
  if (action === undefined) return <LinkPage key={linkId} website={website} linkId={linkId} />;
  return action === "edit" ? <EditLink key={linkId} website={website} linkId={linkId} /> : <NotFound />;
}
