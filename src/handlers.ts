import { acceptInvitation } from "./accounts/acceptInvitation.ts";
import { changeMemberRole, removeMember } from "./accounts/changeMember.ts";
import { createOrganization, renameOrganization, switchOrganization } from "./accounts/changeOrganization.ts";
import { changePassword } from "./accounts/changePassword.ts";
import { createInvitation } from "./accounts/createInvitation.ts";
import { getSession } from "./accounts/getSession.ts";
import { listInvitations, revokeInvitation } from "./accounts/invitations.ts";
import { leaveOrganization } from "./accounts/leaveOrganization.ts";
import { listMembers } from "./accounts/member.ts";
import { getOrganization, listOrganizations } from "./accounts/organization.ts";
import { requestPasswordReset, resetPassword } from "./accounts/passwordReset.ts";
import { disableSecondFactor, enableSecondFactor, verifySecondFactor } from "./accounts/secondFactor.ts";
import { listSessions, revokeSession } from "./accounts/sessions.ts";
import { signIn } from "./accounts/signIn.ts";
import { signOut } from "./accounts/signOut.ts";
import { createApiKey } from "./apiKeys/createApiKey.ts";
import { listApiKeys } from "./apiKeys/listApiKeys.ts";
import { revokeApiKey } from "./apiKeys/revokeApiKey.ts";
import { rotateApiKey } from "./apiKeys/rotateApiKey.ts";
import { listAuditLog } from "./audit/listAuditLog.ts";
import { deleteData } from "./data/deleteData.ts";
import { cancelExport } from "./data/export/cancelExport.ts";
import { createExport } from "./data/export/createExport.ts";
import { downloadExport } from "./data/export/downloadExport.ts";
import { getExport } from "./data/export/getExport.ts";
import { listExports } from "./data/export/listExports.ts";
import { getDeletion } from "./data/getDeletion.ts";
import { watchDeletion } from "./data/watchDeletion.ts";
import type { ImplementedHandlers } from "./gateway/procedure.ts";
import { batch } from "./ingest/batch.ts";
import { collect } from "./ingest/collect.ts";
import { recordEngagement } from "./ingest/engagement.ts";
import { recordEvents } from "./ingest/events.ts";
import { getFlags } from "./ingest/flags.ts";
import { identify } from "./ingest/identify.ts";
import { recordLlmCalls } from "./ingest/llmCalls.ts";
import { getPixel } from "./ingest/pixel.ts";
import { recordScriptErrors } from "./ingest/scriptErrors.ts";
import { track } from "./ingest/track.ts";
import { recordVitals } from "./ingest/vitals.ts";
import { createLink } from "./links/createLink.ts";
import { deleteLink } from "./links/deleteLink.ts";
import { followLink } from "./links/followLink.ts";
import { getLink } from "./links/getLink.ts";
import { getLinkQr } from "./links/getLinkQr.ts";
import { listLinks } from "./links/listLinks.ts";
import { queryLinkAnalytics } from "./links/queryLinkAnalytics.ts";
import { unlockLink } from "./links/unlockLink.ts";
import { updateLink } from "./links/updateLink.ts";
import { compileQuery } from "./query/compile.ts";
import { customQuery } from "./query/custom/custom.ts";
import { analyzeFunnel } from "./query/follow/analyzeFunnel.ts";
import { analyzeGoals } from "./query/follow/analyzeGoals.ts";
import { analyzeJourneys } from "./query/follow/analyzeJourneys.ts";
import { listQueryTypes } from "./query/listQueryTypes.ts";
import { listQueryWebsites } from "./query/listQueryWebsites.ts";
import { query } from "./query/query.ts";
import { queryColumns } from "./query/queryColumns.ts";
import { watch } from "./query/watch/watch.ts";
import { acknowledgeIncident } from "./uptime/acknowledgeIncident.ts";
import { createMonitor } from "./uptime/createMonitor.ts";
import { deleteMonitor } from "./uptime/deleteMonitor.ts";
import { getHistory } from "./uptime/getHistory.ts";
import { getStatus } from "./uptime/getStatus.ts";
import { getStatusPage } from "./uptime/getStatusPage.ts";
import { listIncidents } from "./uptime/listIncidents.ts";
import { getMonitor, listMonitors } from "./uptime/listMonitors.ts";
import { listRecentChecks } from "./uptime/listRecentChecks.ts";
import { createMaintenanceWindow } from "./uptime/maintenance/createMaintenanceWindow.ts";
import { deleteMaintenanceWindow } from "./uptime/maintenance/deleteMaintenanceWindow.ts";
import { listMaintenanceWindows } from "./uptime/maintenance/listMaintenanceWindows.ts";
import { pauseMonitor, resumeMonitor } from "./uptime/moveMonitor.ts";
import { createNotificationChannel } from "./uptime/notices/createNotificationChannel.ts";
import { deleteNotificationChannel } from "./uptime/notices/deleteNotificationChannel.ts";
import { listDeliveries } from "./uptime/notices/listDeliveries.ts";
import { listNotificationChannels } from "./uptime/notices/listNotificationChannels.ts";
import { testNotificationChannel } from "./uptime/notices/testNotificationChannel.ts";
import { updateMonitor } from "./uptime/updateMonitor.ts";
import { cancelRetention } from "./websites/cancelRetention.ts";
import { createWebsite } from "./websites/createWebsite.ts";
import { deleteWebsite } from "./websites/deleteWebsite.ts";
import { getWebsite } from "./websites/getWebsite.ts";
import { listRetentionRuns } from "./websites/listRetentionRuns.ts";
import { listWebsites } from "./websites/listWebsites.ts";
import { restoreWebsite } from "./websites/restoreWebsite.ts";
import { setRetention } from "./websites/setRetention.ts";
import { updateWebsite } from "./websites/updateWebsite.ts";

/** Every RPC that is built, by service. */
export const handlers: ImplementedHandlers = {
  "lookout.v1.AuthService": {
    signIn,
    signOut,
    getSession,
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
    getDeletion,
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
  "lookout.v1.StatusPageService": { getStatusPage },
  "lookout.v1.UptimeService": {
    createMonitor,
    getMonitor,
    listMonitors,
    updateMonitor,
    deleteMonitor,
    pauseMonitor,
    resumeMonitor,
    getHistory,
    listIncidents,
    acknowledgeIncident,
    getStatus,
    listRecentChecks,
  },
  "lookout.v1.VitalService": { recordVitals },
  "lookout.v1.WebsiteService": {
    createWebsite,
    listWebsites,
    getWebsite,
    updateWebsite,
    deleteWebsite,
    restoreWebsite,
    setRetention,
    cancelRetention,
    listRetentionRuns,
  },
};
