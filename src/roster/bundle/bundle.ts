// The interface of a kind of bundle.
import { findFile, type Folder } from './folder.ts';
import type { JoinSpec } from './join-spec.ts';

/** What a kind of bundle makes of a folder. */
export interface BundlePlan {
  /** Such as `OneRoster 1.2`. */
  name: string;
  spec: JoinSpec;
  notes: string[];
  /** It holds only what has changed. */
  isPartial?: boolean;
}

/** A folder as a kind of bundle needs to see it. */
export interface FolderView {
  folder: Folder;
  /** The header of a file as it is written; empty if there is no such file. */
  header(name: string): Promise<readonly string[]>;
  /** The rows of a small file, without its header; none if there is no such file. */
  rows(name: string): Promise<readonly (readonly string[])[]>;
}

/** A kind of bundle. */
export interface Bundle {
  name: string;
  /** The file with the people, by which it is looked for. */
  people: string;
  /** What it makes of a folder; undefined when the folder is not of this kind. */
  plan(view: FolderView): Promise<BundlePlan | undefined>;
}

/** Tells which of some files a folder has. */
export function has({ folder }: FolderView, name: string): boolean {
  return findFile(folder, name) !== undefined;
}
