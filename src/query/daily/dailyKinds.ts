import { sourceColumns } from "../../aggregation/sessionContext.ts";
import { isNow } from "../catalogue/fixedPeriod.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { Step } from "../goals/steps.ts";
import type { BucketUnit } from "../sql/buckets.ts";
import { type FieldName, fieldNameOf } from "../sql/fields.ts";
import type { Filter } from "../sql/filters.ts";
import type { MeasureName } from "../sql/measures.ts";

/** Which events the figures of a day count: all, page views or custom events. */
export type Counted = "all" | "page_view" | "custom";

/** What figures of a day are grouped by; `total`: not at all. */
export type DailyKind = { readonly counted: Counted; readonly field: FieldName | "total" };

const total: DailyKind = { counted: "all", field: "total" };

/** Every kind of figures that is kept of each UTC day. What is not here cannot be answered once the raw events are past their retention. */
export const dailyKinds: readonly [DailyKind, ...DailyKind[]] = [
  total,
  ...kinds("all", [
    ...sourceColumns,
    "entry_page",
    "country",
    "language",
    "timezone",
    "browser_name",
    "os_name",
    "device_type",
    "screen_resolution",
    "connection_type",
  ]),
  ...kinds("page_view", ["total", "path", "entry_page", "exit_page"]),
  ...kinds("custom", ["total", "event_name"]),
];

/** Measures of sums over days; other measures are null there. A visitor of several days counts on each. */
export const dailyMeasures: Partial<Record<MeasureName, string>> = {
  pageviews: "sum(page_views)",
  custom_events: "sum(custom_events)",
  total_events: "sum(page_views + custom_events)",
  visitors: "sum(visitors)",
  active_sessions: "sum(sessions)",
  sessions: "sum(sessions)",
  session_visitors: "sum(visitors)",
  bounce_rate: perSession("100.0 * sum(bounces)"),
  avg_session_duration: perSession("sum(seconds)"),
  pages_per_session: perSession("1.0 * sum(visit_page_views)"),
};

/** What a question is made of, as far as it decides whether daily figures answer it. */
type Asked = {
  readonly type: QueryType;
  readonly filters: readonly Filter[];
  readonly bucketUnit: BucketUnit;
  readonly goals?: readonly Step[];
  readonly split?: object | undefined;
};

/**
 * The daily figures that answer a question; none for lists, properties and hours, for combinations of fields, and for filters on another field
 * than the one that rows are grouped by.
 */
export function dailyKindsOf(asked: Asked): readonly DailyKind[] {
  if (asked.type.shape.kind === "goal_conversions") return kindsOfGoals(asked);
  const kind = kindOfMeasures(asked);
  return kind === undefined ? [] : [kind];
}

/** Goals by themselves: filters and splits combine the field of a goal with another one. */
function kindsOfGoals({ filters, goals = [], split }: Asked): readonly DailyKind[] {
  if (split !== undefined || filters.length > 0) return [];
  const kinds = new Set(goals.flatMap((goal) => dailyKindOfGoal(goal) ?? []));
  return kinds.size === 0 ? [] : [total, ...kinds];
}

/** The figures that count the events of a goal: of one page or event, or of all pages whose paths match. */
export function dailyKindOfGoal({ kind: counted, filters }: Pick<Step, "kind" | "filters">): DailyKind | undefined {
  const [own, ...others] = filters;
  if (own === undefined || others.length > 0) return undefined;
  return dailyKinds.find((kind) => kind.counted === counted && kind.field === own.field);
}

function kindOfMeasures({ type, filters, bucketUnit }: Asked): DailyKind | undefined {
  const { shape, table, period, only = "all" } = type;
  if (table !== "events" || isNow(period)) return undefined;
  if (shape.kind !== "summary" && shape.kind !== "series" && shape.kind !== "table") return undefined;
  if (shape.kind === "series" && (bucketUnit === "hour" || bucketUnit === "minute")) return undefined;
  const grouped = shape.kind === "table" ? shape.dimensions : [];
  const fields = new Set([...grouped, ...filters.map(filteredField)]);
  // Not one of a property either, whose field is undefined.
  if (fields.size > 1 || grouped.length > 1 || fields.has(undefined)) return undefined;
  const [field = "total"] = fields;
  // Which visits reached a goal is only known of events.
  if (type.fields.some(({ from }) => "goal" in from)) return undefined;
  if (!measuresOf(type).some((name) => name in dailyMeasures)) return undefined;
  return dailyKinds.find((kind) => kind.counted === only && kind.field === field);
}

/** The field of visits or events that a filter is about; undefined for properties. Full addresses of referrers are not among the figures. */
function filteredField({ field, values }: Filter): FieldName | undefined {
  const name = fieldNameOf("events", field);
  return name === "referrer" && values.every((value) => !value.includes("/")) ? "referrer_source" : name;
}

function kinds(counted: Counted, fields: readonly DailyKind["field"][]): DailyKind[] {
  return fields.map((field) => ({ counted, field }));
}

function perSession(sum: string): string {
  return `CASE WHEN sum(sessions) > 0 THEN ${sum} / sum(sessions) END`;
}
