/** How long passwords may be that are chosen, as the contract has it (test/passwordLengths.unit.test.ts). */
export const passwordLengths = {
  ofPerson: { minLength: 12, maxLength: 256 },
  ofSharedDashboard: { minLength: 8, maxLength: 256 },
} as const;
