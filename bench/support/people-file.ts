import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const first = ['Ann', 'Åse', 'Bo', 'Jean-Luc', 'Márta', 'Søren', 'Wei', 'Zoë'];
const last = ['Ek', 'Lindqvist', 'de la Cruz', "O'Brien", 'Nagy', 'Ødegård'];
const departments = ['Sales', 'Operations', '"Research, EU"', 'Finance', 'IT', '"Legal ""A"""'];

/**
 * Writes people as HR departments have them: nine columns, some quotes, letters of several languages. With `changedEvery`,
 * one in so many is in another department.
 */
export async function writePeople(path: string, count: number, changedEvery = Infinity): Promise<void> {
  const file = createWriteStream(path);
  file.write('Employee ID,First Name,Last Name,Work Email,Mobile Phone,Department,Country,Job Title,Status\r\n');
  for (let at = 0; at < count; at += 1000) {
    let page = '';
    for (let row = at; row < Math.min(at + 1000, count); row++) {
      const department = departments[(row % changedEvery === 0 && row > 0 ? row + 1 : row) % departments.length];
      page += `${100_000 + row},${first[row % first.length]},${last[row % last.length]},person.${row}@example.com,`;
      page += `+45 20 ${10_000_000 + row},${department},Denmark,Team Leader ${row % 90},Active\r\n`;
    }
    if (!file.write(page)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}
