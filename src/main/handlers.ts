import { acceptInvitation } from "../accounts/invitations/acceptInvitation.ts";
import { createInvitation } from "../accounts/invitations/createInvitation.ts";
import { listInvitations, revokeInvitation } from "../accounts/invitations/invitations.ts";
import { changeMemberRole, removeMember } from "../accounts/organization/changeMember.ts";
import {
  createOrganization,
  renameOrganization,
  switchOrganization,
} from "../accounts/organization/changeOrganization.ts";
import { leaveOrganization } from "../accounts/organization/leaveOrganization.ts";
import { limitMember } from "../accounts/organization/limitMember.ts";
import { listMembers } from "../accounts/organization/member.ts";
import { getOrganization, listOrganizations } from "../accounts/organization/organization.ts";
import { changePassword } from "../accounts/password/changePassword.ts";
import { requestPasswordReset, resetPassword } from "../accounts/password/passwordReset.ts";
import { disableSecondFactor, enableSecondFactor, verifySecondFactor } from "../accounts/password/secondFactor.ts";
import { changeLanguage } from "../accounts/session/changeLanguage.ts";
import { getSession } from "../accounts/session/getSession.ts";
import { listSessions, revokeSession } from "../accounts/session/sessions.ts";
import { signIn } from "../accounts/session/signIn.ts";
import { signOut } from "../accounts/session/signOut.ts";
import { createApiKey } from "../apiKeys/createApiKey.ts";
import { listApiKeys } from "../apiKeys/listApiKeys.ts";
import { revokeApiKey } from "../apiKeys/revokeApiKey.ts";
import { rotateApiKey } from "../apiKeys/rotateApiKey.ts";
import { listAuditLog } from "../audit/listAuditLog.ts";
import type { ImplementedHandlers } from "../gateway/procedure.ts";
import { batch } from "../ingest/calls/batch.ts";
import { collect } from "../ingest/calls/collect.ts";
import { recordEngagement } from "../ingest/calls/engagement.ts";
import { recordEvents } from "../ingest/calls/events.ts";
import { getFlags } from "../ingest/calls/flags.ts";
import { identify } from "../ingest/calls/identify.ts";
import { recordLlmCalls } from "../ingest/calls/llmCalls.ts";
import { getPixel } from "../ingest/calls/pixel.ts";
import { recordScriptErrors } from "../ingest/calls/scriptErrors.ts";
import { track } from "../ingest/calls/track.ts";
import { recordVitals } from "../ingest/calls/vitals.ts";
import { deleteData } from "../lifecycle/erasure/request/deleteData.ts";
import { listDeletions } from "../lifecycle/erasure/request/listDeletions.ts";
import { previewDeletion } from "../lifecycle/erasure/request/previewDeletion.ts";
import { getDeletion, watchDeletion } from "../lifecycle/erasure/request/watchDeletion.ts";
import { cancelExport } from "../lifecycle/export/request/cancelExport.ts";
import { createExport } from "../lifecycle/export/request/createExport.ts";
import { downloadExport } from "../lifecycle/export/request/downloadExport.ts";
import { getExport, listExports } from "../lifecycle/export/request/listExports.ts";
import { cancelRetention } from "../lifecycle/retention/request/cancelRetention.ts";
import { listRetentionRuns } from "../lifecycle/retention/request/listRetentionRuns.ts";
import { previewRetention } from "../lifecycle/retention/request/previewRetention.ts";
import { setRetention } from "../lifecycle/retention/request/setRetention.ts";
import { queryLinkAnalytics } from "../links/analytics/queryLinkAnalytics.ts";
import { followLink } from "../links/follow/followLink.ts";
import { unlockLink } from "../links/follow/unlockLink.ts";
import { createLink } from "../links/manage/createLink.ts";
import { deleteLink } from "../links/manage/deleteLink.ts";
import { getLink } from "../links/manage/getLink.ts";
import { getLinkQr } from "../links/manage/getLinkQr.ts";
import { listLinks } from "../links/manage/listLinks.ts";
import { updateLink } from "../links/manage/updateLink.ts";
import { getPrivacyReport } from "../privacy/getPrivacyReport.ts";
import { customQuery } from "../query/custom/custom.ts";
import { analyzeFunnel } from "../query/follow/analyzeFunnel.ts";
import { analyzeGoals } from "../query/follow/analyzeGoals.ts";
import { analyzeJourneys } from "../query/follow/analyzeJourneys.ts";
import { compileQuery } from "../query/request/compile.ts";
import { listQueryTypes } from "../query/request/listQueryTypes.ts";
import { listQueryWebsites } from "../query/request/listQueryWebsites.ts";
import { query } from "../query/request/query.ts";
import { queryColumns } from "../query/request/queryColumns.ts";
import { previewRules } from "../query/rules/previewRules.ts";
import { watch } from "../query/watch/watch.ts";
import { createSegment } from "../segments/createSegment.ts";
import { deleteSegment } from "../segments/deleteSegment.ts";
import { listSegments } from "../segments/listSegments.ts";
import { updateSegment } from "../segments/updateSegment.ts";
import { deleteSharedDashboard, updateSharedDashboard } from "../sharing/changeSharedDashboard.ts";
import { createSharedDashboard } from "../sharing/createSharedDashboard.ts";
import { listSharedDashboards } from "../sharing/listSharedDashboards.ts";
import { openSharedDashboard } from "../sharing/openSharedDashboard.ts";
import { getHistory } from "../uptime/figures/getHistory.ts";
import { getStatus } from "../uptime/figures/getStatus.ts";
import { getStatusPage } from "../uptime/figures/getStatusPage.ts";
import { listIncidents } from "../uptime/figures/listIncidents.ts";
import { listRecentChecks } from "../uptime/figures/listRecentChecks.ts";
import { createIncidentNote } from "../uptime/incident/createIncidentNote.ts";
import { deleteIncidentNote } from "../uptime/incident/deleteIncidentNote.ts";
import { getIncident } from "../uptime/incident/getIncident.ts";
import { createMaintenanceWindow } from "../uptime/maintenance/createMaintenanceWindow.ts";
import { deleteMaintenanceWindow } from "../uptime/maintenance/deleteMaintenanceWindow.ts";
import { listMaintenanceWindows } from "../uptime/maintenance/listMaintenanceWindows.ts";
import { createMonitor } from "../uptime/manage/createMonitor.ts";
import { deleteMonitor } from "../uptime/manage/deleteMonitor.ts";
import { getMonitor, listMonitors } from "../uptime/manage/listMonitors.ts";
import { pauseMonitor, resumeMonitor } from "../uptime/manage/moveMonitor.ts";
import { updateMonitor } from "../uptime/manage/updateMonitor.ts";
import { acknowledgeIncident } from "../uptime/notifications/acknowledgeIncident.ts";
import { createNotificationChannel } from "../uptime/notifications/channels/createNotificationChannel.ts";
import { deleteNotificationChannel } from "../uptime/notifications/channels/deleteNotificationChannel.ts";
import { listNotificationChannels } from "../uptime/notifications/channels/listNotificationChannels.ts";
import { updateNotificationChannel } from "../uptime/notifications/channels/updateNotificationChannel.ts";
import { listDeliveries } from "../uptime/notifications/listDeliveries.ts";
import { testNotificationChannel } from "../uptime/notifications/testNotificationChannel.ts";
import { createStatusPage } from "../uptime/statusPages/manage/createStatusPage.ts";
import { createStatusReport } from "../uptime/statusPages/manage/createStatusReport.ts";
import { deleteStatusPage } from "../uptime/statusPages/manage/deleteStatusPage.ts";
import { deleteStatusReport } from "../uptime/statusPages/manage/deleteStatusReport.ts";
import { listStatusPages } from "../uptime/statusPages/manage/listStatusPages.ts";
import { listStatusReports } from "../uptime/statusPages/manage/listStatusReports.ts";
import { postStatusReportUpdate } from "../uptime/statusPages/manage/postStatusReportUpdate.ts";
import { previewStatusPage } from "../uptime/statusPages/manage/previewStatusPage.ts";
import { setStatusPageLogo } from "../uptime/statusPages/manage/setStatusPageLogo.ts";
import { updateStatusPage } from "../uptime/statusPages/manage/updateStatusPage.ts";
import { checkNow } from "../uptime/tryOut/checkNow.ts";
import { testMonitor } from "../uptime/tryOut/testMonitor.ts";
import { createWebsite } from "../websites/createWebsite.ts";
import { deleteWebsite } from "../websites/deleteWebsite.ts";
import { getPublicWebsite } from "../websites/getPublicWebsite.ts";
import { getWebsite } from "../websites/getWebsite.ts";
import { checkInstallation } from "../websites/installation/checkInstallation.ts";
import { listWebsites } from "../websites/listWebsites.ts";
import { restoreWebsite } from "../websites/restoreWebsite.ts";
import { updateWebsite } from "../websites/updateWebsite.ts";
import type { App } from "./compose.ts";

/** Every implemented RPC, by service. */
export const handlers: ImplementedHandlers<App> = {
  "lookout.v1.AuthService": {
    signIn,
    signOut,
    getSession,
    changeLanguage,
    listSessions,
    revokeSession,
    requestPasswordReset,
    resetPassword,
    changePassword,
    enableSecondFactor,
    verifySecondFactor,
    disableSecondFactor,
  },
  "lookout.v1.OrganizationService": {
    createOrganization,
    getOrganization,
    renameOrganization,
    listOrganizations,
    switchOrganization,
    leaveOrganization,
    listMembers,
    changeMemberRole,
    limitMember,
    removeMember,
    createInvitation,
    listInvitations,
    revokeInvitation,
    acceptInvitation,
  },
  "lookout.v1.ApiKeyService": { createApiKey, listApiKeys, revokeApiKey, rotateApiKey },
  "lookout.v1.AuditService": { listAuditLog },
  "lookout.v1.ClientService": { getPixel, recordEvents, recordEngagement, identify, getFlags },
  "lookout.v1.DataService": {
    deleteData,
    previewDeletion,
    getDeletion,
    listDeletions,
    watchDeletion,
    createExport,
    getExport,
    downloadExport,
    cancelExport,
    listExports,
  },
  "lookout.v1.FunnelService": { analyzeFunnel, analyzeGoals, analyzeJourneys },
  "lookout.v1.IngestService": { batch, track, collect },
  "lookout.v1.LinkService": {
    createLink,
    listLinks,
    getLink,
    updateLink,
    deleteLink,
    queryLinkAnalytics,
    followLink,
    unlockLink,
    getLinkQr,
  },
  "lookout.v1.LlmCallService": { recordLlmCalls },
  "lookout.v1.MaintenanceWindowService": { createMaintenanceWindow, listMaintenanceWindows, deleteMaintenanceWindow },
  "lookout.v1.NotificationChannelService": {
    createNotificationChannel,
    listNotificationChannels,
    updateNotificationChannel,
    deleteNotificationChannel,
    testNotificationChannel,
    listDeliveries,
  },
  "lookout.v1.QueryService": {
    query,
    queryColumns,
    watch,
    compileQuery,
    customQuery,
    listQueryTypes,
    listQueryWebsites,
  },
  "lookout.v1.ScriptErrorService": { recordScriptErrors },
  "lookout.v1.SegmentService": { listSegments, createSegment, updateSegment, deleteSegment },
  "lookout.v1.SharedDashboardService": {
    createSharedDashboard,
    listSharedDashboards,
    updateSharedDashboard,
    deleteSharedDashboard,
    openSharedDashboard,
  },
  "lookout.v1.StatusPageService": {
    getStatusPage,
    createStatusPage,
    listStatusPages,
    updateStatusPage,
    deleteStatusPage,
    setStatusPageLogo,
    previewStatusPage,
  },
  "lookout.v1.StatusReportService": {
    createStatusReport,
    postStatusReportUpdate,
    listStatusReports,
    deleteStatusReport,
  },
  "lookout.v1.UptimeService": {
    createMonitor,
    getMonitor,
    listMonitors,
    updateMonitor,
    deleteMonitor,
    pauseMonitor,
    resumeMonitor,
    checkNow,
    testMonitor,
    getHistory,
    listIncidents,
    getIncident,
    createIncidentNote,
    deleteIncidentNote,
    acknowledgeIncident,
    getStatus,
    listRecentChecks,
  },
  "lookout.v1.VitalService": { recordVitals },
  "lookout.v1.WebsiteService": {
    createWebsite,
    listWebsites,
    getWebsite,
    getPublicWebsite,
    checkInstallation,
    updateWebsite,
    deleteWebsite,
    restoreWebsite,
    setRetention,
    previewRetention,
    previewRules,
    cancelRetention,
    listRetentionRuns,
    getPrivacyReport,
  },
};
