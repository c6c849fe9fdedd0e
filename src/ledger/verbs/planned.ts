// Verbs of planning that are not idempotent: when the connection is lost, the whole planning starts again.
export { countLeaving, countMissing, keysToldSince } from '../planning/absent.ts';
export { keepCorrections } from '../planning/corrections.ts';
export { leaversAmong, stageLeavers } from '../planning/departed.ts';
export { keysMissing, narrowTo, planRun, sampleMembers } from '../planning/planning.ts';
export { groupsGiven, identityChanges, keysOfIds } from '../planning/resolving.ts';
export { forgetSharedIds, peopleWithTwoAddresses } from '../planning/shared-ids.ts';
export {
  addRejects,
  completeRejects,
  countStaged,
  dropWithoutId,
  mergePerson,
  peopleHalfRead,
} from '../planning/staging.ts';
export { peopleWithSeveralRows, rejectPerson, rejectsWithoutCells, stageLater } from '../planning/staging.ts';
export { stageRows } from '../planning/staging.ts';
export { givenPeople, listUnchanged, stageListed, stageOrphans } from '../planning/unchanged-people.ts';
