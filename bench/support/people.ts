/** The made-up person of this number, in two of ten groups: the same for the import and for the raw calls. */
export function personOf(n: number): { firstname: string; lastname: string; email: string; groups: string[] } {
  return {
    firstname: 'Person',
    lastname: `Number${n}`,
    email: `person${n}@example.com`,
    groups: [`Group ${n % 5}`, `Group ${5 + (n % 5)}`],
  };
}

/** A CSV roster of so many of them. */
export function rosterOf(people: number): string {
  const rows = Array.from({ length: people }, (_, n) => {
    const { firstname, lastname, email, groups } = personOf(n);
    return `${firstname},${lastname},${email},${groups.join(';')}\n`;
  });
  return `First Name,Last Name,Email,Groups\n${rows.join('')}`;
}
