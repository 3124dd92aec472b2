import { formatInstant } from "../../../texts/formatTime.ts";
import { t } from "../../../texts/texts.ts";
import { Menu, MenuLink } from "../../../ui/menu.tsx";
import type { PlacedMark } from "../../../ui/plot/chartMarks.ts";
import { markGroups, type PlotBox } from "../../../ui/plot/markGroups.ts";
import { useDashboard } from "../context.ts";
import "../../../styles/markLinks.css";

type MarkLinksProps = {
  readonly marks: readonly PlacedMark[];
  readonly buckets: number;
  readonly box: PlotBox;
};

/** Links over the marks of the chart that have a page. Marks too near to each other are a list that opens. */
export function MarkLinks({ marks, buckets, box }: MarkLinksProps) {
  const { more, uptime } = t();
  const { subject } = useDashboard();
  const nameOf = ({ name, startMs }: PlacedMark): string =>
    `${more.incident(name)}, ${formatInstant(startMs, subject.timezone)}`;
  const groups = markGroups(
    marks.filter(({ href }) => href !== undefined),
    buckets,
    box,
  );
  if (groups.length === 0) return null;
  return (
    <ul class="mark-links" aria-label={uptime.incidents}>
      {groups.map(({ marks: near, startPx, widthPx }) => {
        const [first] = near;
        return (
          <li key={`${first?.href}`} style={{ "--start": `${startPx}px`, "--width": `${widthPx}px` }}>
            {near.length > 1 ? (
              <Menu
                label={uptime.incidents}
                button={String(near.length)}
                alignEnd={startPx > box.startPx + box.widthPx / 2}
              >
                {near
                  .toSorted((one, other) => other.startMs - one.startMs)
                  .map((mark) => (
                    <MenuLink key={mark.href} href={mark.href ?? ""}>
                      {nameOf(mark)}
                    </MenuLink>
                  ))}
              </Menu>
            ) : (
              first !== undefined && (
                <a class="mark-link" href={first.href} title={nameOf(first)}>
                  <span class="said">{nameOf(first)}</span>
                </a>
              )
            )}
          </li>
        );
      })}
    </ul>
  );
}
