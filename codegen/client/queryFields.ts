/** Texts of the contract that name a field of the catalogue: `<message>.<name in the proto>`, and their types in the TypeScript client's filterFields.ts. */
export const queryFields: Readonly<Record<string, string>> = {
  "QueryFilter.field": "FilterField",
  "SegmentFilter.field": "FilterField",
  "QueryParameter.split_by": "VisitField",
  "Funnel.split_by": "EventField",
  "GoalsQuery.split_by": "EventField",
};
