// Says what to press, where a sentence of the ledger says what to type.

const buttons: Readonly<Record<string, string>> = {
  approve: 'Confirm my choice',
  cancel: 'Cancel the rest',
  resume: 'Resume',
  retry: 'Retry',
};

/** What the command line offers where a roster has people who have left, or not started. */
const flagsOfDecision = /--only-active leaves them out[^.]*`everybody: true`/;

/** The command line and notifications keep the command. `run`: the one on whose page it is said. */
export function whatToPress(sentence: string, run: string): string {
  return sentence
    .replace(
      flagsOfDecision,
      'To leave them out, set “only” or “except” in the settings of the source and have it read again',
    )
    .replaceAll(/`?roster-sync show [\w-]+ --rejects [\w.-]+`?/g, '“Download rejects”')
    .replaceAll(/`?roster-sync (approve|cancel|resume|retry) ([\w-]+)`?/g, (_, command: string, id: string) =>
      id === run ? `“${buttons[command]}”` : `“${buttons[command]}” on the page of run ${id}`,
    )
    .replaceAll(/`roster-sync resolve (?!ADDRESS)[^`]+`/g, '“All of them” on the page of the run')
    .replaceAll('"roster-sync forget ADDRESS --undo"', '“Let them be sent again” on the page of that person')
    .replaceAll(/`?roster-sync runs`?|GET \/api\/v1\/runs(?= lists)/g, 'the page “Runs”')
    .replaceAll(/`?roster-sync show ([\w-]+)`?/g, (_, id: string) =>
      id === run ? 'this page' : `the page of run ${id}`,
    );
}
