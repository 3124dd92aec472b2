import codes from "i18n-iso-countries/codes.json";
import atlas from "world-atlas/countries-110m.json";
import { pathOf, type Topology } from "./topology.ts";

/** A country's code (ISO 3166-1, two letters) and its outline in a picture of 1,000 by 520. */
export type CountryShape = { readonly country: string; readonly path: string };

const lettersOf = new Map(codes.map(([letters = "", , digits = ""]) => [digits, letters]));

/** Antarctica has no visitors and would take a fifth of the height. */
const left = new Set(["AQ"]);

export const countryShapes: readonly CountryShape[] = (atlas as unknown as Topology).objects.countries.geometries
  .map((geometry) => ({
    // A few disputed areas have no number. They are drawn without a figure.
    country: lettersOf.get(geometry.id ?? "") ?? "",
    path: pathOf(atlas as unknown as Topology, geometry),
  }))
  .filter(({ country }) => !left.has(country));
