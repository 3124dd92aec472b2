/**
 * What each call answers about a website that measures its audience only. A call that is not here fails a test: whoever adds one that reads rows
 * of visitors decides.
 */
export const decisions = {
  /** A sentence in place of the answer. */
  sentence: [
    "AnalyzeFunnel",
    "AnalyzeGoals",
    "AnalyzeJourneys",
    "CompileQuery",
    "CreateExport",
    "CustomQuery",
    "PreviewRules",
  ],
  /** Counts of rows are rounded up. */
  rounded: [
    "DeleteData",
    "GetDeletion",
    "GetPrivacyReport",
    "GetWebsite",
    "ListAuditLog",
    "ListDeletions",
    "ListRetentionRuns",
    "ListWebsites",
    "PreviewDeletion",
    "PreviewRetention",
    "SetRetention",
    "WatchDeletion",
  ],
  /** Figures of whole days and large groups; each query type decides (audienceOnly.http.test.ts). */
  audience: ["Query", "QueryColumns", "Watch"],
} as const;

/** Calls that count no rows of visitors, or answer with the website as GetWebsite does. */
export const withoutRows = `
  AcceptInvitation AcknowledgeIncident Batch CancelExport CancelRetention ChangeLanguage ChangeMemberRole ChangePassword CheckInstallation CheckNow
  Collect CreateApiKey CreateIncidentNote CreateInvitation CreateLink CreateMaintenanceWindow CreateMonitor CreateNotificationChannel
  CreateOrganization CreateSegment CreateSharedDashboard CreateStatusPage CreateStatusReport CreateWebsite DeleteIncidentNote DeleteLink
  DeleteMaintenanceWindow DeleteMonitor DeleteNotificationChannel DeleteSegment DeleteSharedDashboard DeleteStatusPage DeleteStatusReport
  DeleteWebsite DisableSecondFactor DownloadExport EnableSecondFactor FollowLink GetExport GetFlags GetHistory GetIncident GetLink GetLinkQr
  GetMonitor GetOrganization GetPixel GetPublicWebsite GetSession GetStatus GetStatusPage Identify LeaveOrganization LimitMember ListApiKeys
  ListDeliveries ListExports ListIncidents ListInvitations ListLinks ListMaintenanceWindows ListMembers ListMonitors ListNotificationChannels
  ListOrganizations ListQueryTypes ListQueryWebsites ListRecentChecks ListSegments ListSessions ListSharedDashboards ListStatusPages
  ListStatusReports OpenSharedDashboard PauseMonitor PostStatusReportUpdate PreviewStatusPage QueryLinkAnalytics RecordEngagement RecordEvents
  RecordLlmCalls RecordScriptErrors RecordVitals RemoveMember RenameOrganization RequestPasswordReset ResetPassword RestoreWebsite
  ResumeMonitor RevokeApiKey RevokeInvitation RevokeSession RotateApiKey SetStatusPageLogo SignIn SignOut SwitchOrganization TestMonitor
  TestNotificationChannel Track UnlockLink UpdateLink UpdateMonitor UpdateNotificationChannel UpdateSegment UpdateSharedDashboard
  UpdateStatusPage UpdateWebsite VerifySecondFactor
`;
