// Values as JSON has them: times are texts.

export type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : T;

/** Such a value as the database answers it: what is called `at` or ends so is a date. */
export type Dated<T> = T extends readonly (infer Item)[]
  ? Dated<Item>[]
  : T extends object
    ? { [Key in keyof T]: Key extends 'at' | 'since' | `${string}At` ? Exclude<T[Key], string> | Date : Dated<T[Key]> }
    : T;

export function plain<T>(value: T): Plain<T> {
  return JSON.parse(JSON.stringify(value)) as Plain<T>;
}
