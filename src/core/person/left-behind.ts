// The words for groups that a person keeps at the service.

export const leftBehindCommand = 'roster-sync left-behind';

/** That a person keeps groups which no roster gives them any more: `keeps IT at the service (roster-sync left-behind)`. */
export function keepsAtService(groups: readonly string[]): string {
  return `keeps ${groups.join(', ')} at the service (${leftBehindCommand})`;
}
