import type { Look } from "./look.ts";

/** Whose page is drawn, and where. */
export type Visit = Pick<Look, "language" | "tags"> & {
  /** The path below that of the service, and the query. */
  readonly address: string;
  /** The answers of GetSession and ListWebsites as JSON. */
  readonly session: string;
  readonly websites: string;
  readonly hostname: string;
  readonly platform: string;
};

type FirstQuestion = { readonly question: string; readonly request: unknown };
/** The answer is JSON. */
type FirstAnswer = { readonly question: string; readonly answer: string };

/** What web/app/src/firstView/firstView.tsx has: the app's own components. */
type Drawer = {
  questionOf(visit: Visit): FirstQuestion | undefined;
  draw(visit: Visit, first: FirstAnswer | undefined): string;
};

/** The elements of a page, and the answer to its first question if they show it. */
export type FirstView = { readonly html: string; readonly first: FirstAnswer | undefined };

/** Draws the first view of the pages that show figures at once, so that they are on screen before any script has run. */
export class FirstViews {
  readonly #drawer: Promise<Drawer | undefined>;

  /** The path of the module, undefined where the app is not built. */
  constructor(module: string | undefined) {
    this.#drawer = module === undefined ? Promise.resolve(undefined) : import(module);
    // `draw` reports it; without a handler here Node would end the process.
    this.#drawer.catch(() => undefined);
  }

  /** Asks the first question of the page with `ask`, which resolves to undefined if the answer is missing. Undefined where nothing is drawn. */
  async draw(visit: Visit, ask: (request: unknown) => Promise<string | undefined>): Promise<FirstView | undefined> {
    const drawer = await this.#drawer;
    const asked = drawer?.questionOf(visit);
    if (drawer === undefined || asked === undefined) return undefined;
    const answer = await ask(asked.request);
    const first = answer === undefined ? undefined : { question: asked.question, answer };
    return { html: drawer.draw(visit, first), first };
  }
}
