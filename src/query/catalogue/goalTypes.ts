import { isNow } from "./fixedPeriod.ts";
import { type GoalFigure, grouped, type OutputField, type QueryType, tableLimit } from "./queryType.ts";
import { dimensionsOf, measuresOf } from "./typeParts.ts";

const conversionFields = [
  goalField("conversions", "Visitors who reached the goal"),
  {
    ...goalField("rate", "Share of the visitors who reached the goal"),
    name: "conversion_rate",
    unit: "percent",
  },
];

/** How many visitors reach goals. */
export const goalTypes: readonly QueryType[] = [
  {
    name: "goal_conversions",
    title: "Goals",
    description:
      "Visitors who reached each goal of the website, or the goal of the query, in the order of the goals. With split_by a row for each value of a field of visits, most conversions first.",
    category: "goals",
    isPublic: false,
    table: "events",
    shape: { kind: "goal_conversions" },
    fields: [
      grouped("goal", "Goal", 0),
      grouped("value", "Value of the field that it is split by", 1),
      goalField("visitors", "Visitors"),
      ...conversionFields,
      goalField("completions", "How often the goal was reached"),
      { ...goalField("revenue", "Amounts of each currency that this is worth"), type: "array" },
    ],
    defaultLimit: tableLimit,
  },
];

/** Whether a type answers goals themselves. */
export function isAboutGoals({ shape }: Pick<QueryType, "shape">): boolean {
  return shape.kind === "goal_conversions";
}

/** The fields that rows of a type get with a goal in the query: those of breakdowns of visits, and of pages and events. */
export function fieldsWithGoal(type: QueryType): readonly OutputField[] {
  if (type.shape.kind !== "table" || type.table !== "events" || isNow(type.period)) return [];
  const isOneKind = new Set(dimensionsOf(type).map(({ isOfVisit = false }) => isOfVisit)).size === 1;
  return isOneKind && measuresOf(type).some((name) => visitorMeasures.has(name)) ? conversionFields : [];
}

/** The figures of breakdowns that count visitors. */
export const visitorMeasures: ReadonlySet<string> = new Set(["visitors", "session_visitors"]);

function goalField(figure: GoalFigure, label: string): OutputField {
  return { name: figure, label, type: "number", from: { goal: figure } };
}
