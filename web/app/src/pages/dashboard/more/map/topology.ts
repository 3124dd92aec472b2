/** The part of TopoJSON that the world map uses: delta-encoded arcs, which neighbours share. */
export type Topology = {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } };
};

type Point = readonly [longitude: number, latitude: number];

type Geometry =
  | { readonly type: "Polygon"; readonly id?: string; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: "MultiPolygon"; readonly id?: string; readonly arcs: readonly (readonly (readonly number[])[])[] };

/** The outline of a geometry as an SVG path. */
export function pathOf(topology: Topology, geometry: Geometry): string {
  const rings = geometry.type === "Polygon" ? geometry.arcs : geometry.arcs.flat();
  return rings.map((ring) => `M${unbroken(pointsOf(topology, ring)).map(project).join("L")}Z`).join("");
}

/**
 * The points of a ring without a jump from 180° to -180°. Points beyond are drawn next to the rest, such as the east of Siberia,
 * on the side where most of the ring is.
 */
function unbroken(points: readonly Point[]): Point[] {
  let turns = 0;
  const continued = points.map(([longitude, latitude], index): Point => {
    const step = longitude - (points[index - 1]?.[0] ?? longitude);
    if (step > 180) turns -= 360;
    if (step < -180) turns += 360;
    return [longitude + turns, latitude];
  });
  const mean = continued.reduce((sum, [longitude]) => sum + longitude, 0) / Math.max(1, continued.length);
  const back = Math.round(mean / 360) * 360;
  return continued.map(([longitude, latitude]) => [longitude - back, latitude]);
}

/** Degrees of longitude and latitude. A negative index is an arc in reverse, counted from -1. */
function pointsOf({ arcs, transform }: Topology, ring: readonly number[]): Point[] {
  return ring.flatMap((index, place) => {
    let [x, y] = [0, 0];
    const points = (arcs[index < 0 ? ~index : index] ?? []).map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [
        x * transform.scale[0] + transform.translate[0],
        y * transform.scale[1] + transform.translate[1],
      ] as const;
    });
    if (index < 0) points.reverse();
    // Each arc begins where the previous one ended.
    return place === 0 ? points : points.slice(1);
  });
}

const scale = 1_000 / (2 * Math.PI * 0.8707);

/** The projection "Natural Earth" (Šavrič, Jenny, Patterson, Petrovič and Hurni, 2011), in whole tenths. */
function project([longitude, latitude]: Point): string {
  const lambda = (longitude * Math.PI) / 180;
  const phi = (latitude * Math.PI) / 180;
  const phi2 = phi * phi;
  const phi4 = phi2 * phi2;
  const x = lambda * (0.8707 - 0.131979 * phi2 + phi4 * (-0.013791 + phi4 * (0.003971 * phi2 - 0.001529 * phi4)));
  const y = phi * (1.007226 + phi2 * (0.015085 + phi4 * (-0.044475 + 0.028874 * phi2 - 0.005916 * phi4)));
  return `${(500 + x * scale).toFixed(1)},${(270 - y * scale).toFixed(1)}`;
}
