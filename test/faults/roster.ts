import { writeFileSync } from 'node:fs';

/** Writes a roster of made-up people, `person1@example.com` and so on, each in two of ten groups. */
export function writeRoster(file: string, people: number): void {
  const rows = Array.from({ length: people }, (_, at) => {
    const n = at + 1;
    return `Person,Number${n},person${n}@example.com,Group ${n % 5};Group ${5 + (n % 5)}\n`;
  });
  writeFileSync(file, ['First Name,Last Name,Email,Groups\n', ...rows].join(''));
}
