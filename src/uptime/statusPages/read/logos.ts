import { LRUCache } from "lru-cache";
import type { Pool } from "pg";

/** Pictures in memory, together. */
const mostBytes = 8_388_608;

/** The pictures of pages by their names, which change with the picture. */
export class Logos {
  readonly #postgres: Pool;
  readonly #images = new LRUCache<string, Buffer>({ maxSize: mostBytes, sizeCalculation: (image) => image.length });

  constructor(postgres: Pool) {
    this.#postgres = postgres;
  }

  /** Undefined for a name without a picture. */
  async find(name: string): Promise<Buffer | undefined> {
    const known = this.#images.get(name);
    if (known !== undefined || !/^logo-[0-9a-f]{32}\.webp$/.test(name)) return known;
    const { rows } = await this.#postgres.query<{ image: Buffer }>(
      "SELECT image FROM status_page_logos WHERE name = $1 LIMIT 1",
      [name],
    );
    const [row] = rows;
    if (row !== undefined) this.#images.set(name, row.image);
    return row?.image;
  }
}
