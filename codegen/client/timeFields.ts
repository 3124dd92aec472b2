/**
 * Texts of requests that hold a time, for languages whose clients take a time of their own there. Fields are `<message>.<name in the proto>`.
 * Fields that take only days (YYYY-MM-DD) are not among them: which day a time is on depends on its zone.
 */
export const timeFields: readonly string[] = [
  "Comparison.end_date",
  "Comparison.start_date",
  "CompileQuery.from",
  "CompileQuery.to",
  "CreateApiKeyRequest.expires_at",
  "CreateLinkRequest.expires_at",
  "CreateMaintenanceWindowRequest.ends_at",
  "CreateMaintenanceWindowRequest.starts_at",
  "CustomQuery.end_date",
  "CustomQuery.start_date",
  "Funnel.end_date",
  "Funnel.start_date",
  "GetHistoryRequest.date_from",
  "GetHistoryRequest.date_to",
  "GoalsQuery.end_date",
  "GoalsQuery.start_date",
  "JourneysQuery.end_date",
  "JourneysQuery.start_date",
  "ListIncidentsRequest.date_from",
  "ListIncidentsRequest.date_to",
  "Query.end_date",
  "Query.start_date",
  "QueryLinkAnalyticsRequest.date_from",
  "QueryLinkAnalyticsRequest.date_to",
  "QueryParameter.end_date",
  "QueryParameter.start_date",
  "UpdateLinkRequest.expires_at",
];
