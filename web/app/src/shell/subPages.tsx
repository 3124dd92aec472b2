import { hrefTo } from "../router/router.ts";

type SubPagesProps = {
  readonly label: string;
  /** The path of the first page; other pages append their names. */
  readonly path: readonly string[];
  readonly current: string;
  /** "" is the first page. */
  readonly pages: readonly (readonly [name: string, text: string])[];
};

/** Leads from one part of a page to the others. */
export function SubPages({ label, path, current, pages }: SubPagesProps) {
  return (
    <nav class="navigation sub-pages" aria-label={label}>
      <ul>
        {pages.map(([name, text]) => (
          <li key={name}>
            <a href={hrefTo(name === "" ? path : [...path, name])} aria-current={name === current ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
