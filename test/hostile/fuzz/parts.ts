import { inflateRawSync } from 'node:zlib';
import { zipOf } from '../../roster/zip-writer.ts';

const mark = '\n=== ';

/** The files of an archive as one text, so that what is changed at random is what is in them. */
export function textOfParts(zip: Buffer): Buffer {
  const files: string[] = [];
  // Archives of our own writer: local headers one after the other, sizes known, all deflated.
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    const size = zip.readUInt32LE(at + 18);
    const name = zip.readUInt16LE(at + 26);
    const from = at + 30 + name;
    files.push(`${zip.toString('utf8', at + 30, from)}\n${inflateRawSync(zip.subarray(from, from + size)).toString()}`);
    at = from + size;
  }
  return Buffer.from(mark + files.join(mark));
}

/** The archive of such a text. */
export function zipOfText(text: Buffer): Buffer {
  const files = text.toString('latin1').split(mark).slice(1);
  return zipOf(
    files.map((file) => {
      const end = file.indexOf('\n');
      return { name: file.slice(0, Math.max(0, end)), content: Buffer.from(file.slice(end + 1), 'latin1') };
    }),
  );
}
