import { sparkPaths, sparkSize } from "./sparkPath.ts";
import "../../styles/spark.css";

type SparklineProps = {
  /** Null where nothing is known; undefined until the answer is here, so that its place is kept. */
  readonly values: readonly (number | null)[] | undefined;
};

/** A small line without axes. What it shows is said elsewhere, so it is hidden from people who do not see it. */
export function Sparkline({ values }: SparklineProps) {
  const { line, area } = sparkPaths(values ?? []);
  const { width, height } = sparkSize;
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="spark-area" d={area} />
      <path class="spark-line" d={line} />
    </svg>
  );
}
