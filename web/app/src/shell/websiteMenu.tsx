import { websites } from "../api/websites.ts";
import { goTo, place } from "../router/router.ts";
import { t } from "../texts/texts.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";

/**
 * The choice of the website, in the header. It leads to the same page of the other website. The view of the overview is kept,
 * except for its filters, which belong to the previous website.
 */
export function WebsiteMenu() {
  const state = websites.value;
  if (state.kind !== "loaded" || state.websites.length === 0) return null;
  const [page = "dashboard", websiteId] = place.value.segments;
  const current = state.websites.find(({ id }) => id === websiteId);
  return (
    <Menu label={t().websites.switch} button={current?.name ?? t().websites.choose}>
      {state.websites.map(({ id, name, domain }) => (
        <MenuItem
          key={id}
          isCurrent={id === current?.id}
          onChoose={() => goTo([page, id], { query: page === "dashboard" ? keptQuery() : undefined })}
        >
          <span>
            {name}
            {name !== domain && <span class="field-hint menu-hint">{domain}</span>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

function keptQuery(): URLSearchParams {
  const query = new URLSearchParams(place.value.query);
  query.delete("filter");
  return query;
}
