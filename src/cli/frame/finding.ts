// The type of one thing that `doctor` found.

/** One thing that was checked. A remark is worth knowing but stops nothing. */
export interface Finding {
  what: string;
  state: 'ok' | 'remark' | 'problem';
  text: string;
  /** The exit code that this problem asks for. */
  exitCode?: number;
}
