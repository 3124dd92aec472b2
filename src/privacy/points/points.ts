import { dataPoints } from "./dataPoints.ts";
import { idPoints } from "./idPoints.ts";
import type { Point } from "./point.ts";
import { purposePoints, visitorPoints } from "./usePoints.ts";

/** All points of a report, in its order. */
export const points: readonly Point[] = [...purposePoints, ...idPoints, ...dataPoints, ...visitorPoints];
