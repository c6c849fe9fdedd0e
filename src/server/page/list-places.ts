// Remembers behind whom the pages of a list begin, so that page 500 is not counted from the first person.

/** How to reach a place of a list: behind this person (the beginning where it is empty), and this many people further. */
export interface Way {
  after: string;
  from: number;
}

/** Lists that are remembered, and places of each. */
const [mostLists, mostPlaces] = [200, 500];

export interface ListPlaces {
  /** The shortest known way to the person with this number; the first has the number 0. */
  wayTo(list: string, number: number): Way;
  /** Notes who comes just before the person with this number. */
  note(list: string, number: number, before: string): void;
}

/** Makes an empty memory. A list is named by everything that its people depend on, so that nothing in it goes out of date. */
export function listPlaces(): ListPlaces {
  const lists = new Map<string, Map<number, string>>();
  return {
    wayTo(list, number) {
      let [nearest, after] = [0, ''];
      for (const [place, before] of lists.get(list) ?? []) {
        if (place > nearest && place <= number) [nearest, after] = [place, before];
      }
      return { after, from: number - nearest };
    },
    note(list, number, before) {
      const places = lists.get(list) ?? new Map<number, string>();
      keep(lists, mostLists, list, places);
      keep(places, mostPlaces, number, before);
    },
  };
}

function keep<Key, Value>(map: Map<Key, Value>, most: number, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
