import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take half a minute and more, longest first: started last, one of them would run alone at the end. */
const longest = [
  "backup/restoredCopy.long.test.ts",
  "backup/backup.long.test.ts",
  "store/faults.long.test.ts",
  "sessions/storedSessions.long.test.ts",
  "store/mappedFiles.long.test.ts",
  "store/readerPool.long.test.ts",
  "store/randomFaults.long.test.ts",
  "differential/differential.long.test.ts",
  "manage/manyMonitors.http.long.test.ts",
  "run/monitorCrashes.long.test.ts",
  "lifecycle/operatorActions.http.long.test.ts",
  "notifications/notifications.long.test.ts",
  "export/exportMachines.http.long.test.ts",
  "web/settingsPages.long.test.ts",
  "secrets/markers.long.test.ts",
  "run/faults.long.test.ts",
  "upgrade/upgrade.long.test.ts",
  "aggregation/oracle.long.test.ts",
  "store/suspendedAnswers.long.test.ts",
  "web/overviewRows.long.test.ts",
  "erasureRequests.http.test.ts",
  "streamAccess.test.ts",
  "erasureRows.http.test.ts",
  "export.http.test.ts",
  "unknownTimes.http.test.ts",
  "callerMatrix.test.ts",
  "engine.test.ts",
  "eraseDeparted.test.ts",
  "pastRetention.http.test.ts",
  "erasureUptime.http.test.ts",
  "retention.test.ts",
];

/** Runs the longest test files first, and the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at < 0 ? longest.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
