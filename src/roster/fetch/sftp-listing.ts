// Lists the files in a folder of an SFTP server, in bounded memory.
import type { FileEntryWithStats, SFTPWrapper } from 'ssh2';
import { InputError } from '../../core/errors.ts';

/** The most entries of a folder that are read: export folders have fewer, and an endless listing ends here. */
const mostEntries = 100_000;
/** What an answer without entries counts as. */
const emptyAnswer = 1000;
/** What SFTP answers where there are no further entries. */
const endOfFile = 1;

export type Ask = <Result>(question: () => Promise<Result>) => Promise<Result>;

/**
 * The files in a folder whose names are wanted, and what the listing says about them. No more than a part of the listing is held at a time, whatever its length.
 * @param place the folder, for messages
 * @throws InputError for a folder with more entries than `mostEntries`
 */
export async function listFiles(
  sftp: SFTPWrapper,
  folder: string,
  { ask, isWanted, place }: { ask: Ask; isWanted: (name: string) => boolean; place: string },
): Promise<FileEntryWithStats[]> {
  const handle = await ask(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        sftp.opendir(folder, (error, opened) => (error ? reject(error) : resolve(opened)));
      }),
  );
  const files: FileEntryWithStats[] = [];
  try {
    for (let entries = 0; ;) {
      const some = await ask(() => nextEntries(sftp, handle));
      if (some === undefined) return files;
      // An empty answer counts too, or it could be repeated for ever.
      entries += some.length || emptyAnswer;
      if (entries > mostEntries) {
        throw new InputError(`${place}: the folder has more than ${mostEntries} entries. Is it the right one?`);
      }
      files.push(...some.filter(({ filename, attrs }) => !attrs.isDirectory() && isWanted(filename)));
    }
  } finally {
    sftp.close(handle, () => {});
  }
}

function nextEntries(sftp: SFTPWrapper, handle: Buffer): Promise<FileEntryWithStats[] | undefined> {
  return new Promise((resolve, reject) => {
    sftp.readdir(handle, (error, list) => {
      if (!error) resolve(list);
      else if ('code' in error && error.code === endOfFile) resolve(undefined);
      else reject(error);
    });
  });
}
