// Recognises cells that stand for no value (`n/a`, `#REF!`), in every known language.

/**
 * Words that stand for no value, in every language whose headings are known. None of them is a name of people or groups
 * that we know of, but for `null`, `none` and `unknown`, whose bearers have to be allowed (`allow.values`).
 */
const words = [
  ...['n/a', 'n.a.', 'n/d', 'null', '\\n', 'none', 'no value', 'no data', 'not available', 'not applicable'],
  ...['not set', 'not assigned', 'unassigned', 'not specified', 'unspecified', 'undefined', 'unknown', 'missing'],
  ...['tbd', 't.b.d.', 'tba', 'tbc', 'to be determined', 'to be defined', 'to be announced', 'to be confirmed'],
  ...['k.a.', 'k. a.', 'unbekannt', 'nicht angegeben', 'nicht zugeordnet', 'nicht vorhanden', 'ohne angabe', 'o.a.'],
  ...['inconnu', 'inconnue', 'non renseigné', 'non renseignée', 'non défini', 'non attribué', 'à définir', 's.o.'],
  ...['onbekend', 'n.v.t.', 'nvt', 'niet van toepassing', 'niet ingevuld', 'n.n.b.'],
  ...['desconocido', 'desconocida', 'sin datos', 'sin asignar', 'no aplica', 'no disponible', 's/d'],
  ...['sconosciuto', 'sconosciuta', 'non disponibile', 'non assegnato', 'non specificato'],
  ...['desconhecido', 'desconhecida', 'não aplicável', 'não informado', 'sem dados'],
  ...['ukendt', 'ikke angivet', 'okänd', 'okänt', 'saknas', 'ej angivet', 'ukjent', 'ikke oppgitt'],
  ...['tuntematon', 'ei tiedossa', 'ei määritetty', 'nieznany', 'nieznana', 'brak danych', 'nie dotyczy'],
  ...['neznámý', 'neznámá', 'neuvedeno', 'ismeretlen', 'nincs adat', 'necunoscut', 'nedefinit'],
  ...['неизвестно', 'нет данных', 'не указано', 'не указан', 'н/д', 'невідомо', 'немає даних', 'άγνωστο'],
  ...['bilinmiyor', 'belirtilmemiş', '不明', '未設定', '該当なし', '未知', '无', '無', '없음', 'غير معروف', 'לא ידוע'],
];

/** Words that are real first or last names as well, such as Na, Nil and Blank: no value as a group or telephone only. */
const wordsOfNames = [
  ...['na', 'nan', 'nil', 'blank', 'empty', 'keine', 'keiner', 'keines', 'ohne'],
  ...['vide', 'aucun', 'aucune', 'leeg', 'geen'],
  ...['vacío', 'vacio', 'vacía', 'ninguno', 'ninguna', 'vuoto', 'nessuno', 'nessuna', 'vazio', 'nenhum', 'nenhuma'],
  ...['ingen', 'inget', 'tyhjä', 'ei mitään', 'puste', 'brak', 'żaden', 'prázdné', 'žádné', 'üres', 'nincs'],
  ...['пусто', 'нет', 'немає', 'порожньо', 'boş', 'yok', 'κενό', '空白', '空', 'فارغ', 'ריק'],
];

/** What pivot tables and filters write for an empty cell, in brackets; bare, it may be a team, a town or a person. */
const wordsInBrackets = [
  ...['blanks', 'empty string', 'void', 'leer', 'leere', 'vides', 'en blanco', 'em branco', 'tom', 'tomt', 'gol'],
];

/** Errors of spreadsheets that do not end in ! or ?, in the languages of Excel. */
const errors = [
  ...['#n/a', '#nv', '#n/b', '#n/d', '#i/t', '#yok', '#н/д', '#hiányzik'],
  ...['#není_k_dispozici', '#getting_data'],
];

/** An error of a spreadsheet in any language: `#REF!`, `#NAME?`, `#DIV/0!`, `#¿NOMBRE?`, `#ЗНАЧ!`. */
const error = /^#[¡¿]?[\p{Lu}_/0]{2,20}[!?]$/u;

/** What a cell is for: words that people are called by count as no value only elsewhere. */
export type Purpose = 'name' | 'other';

const always = new Set([...words, ...errors, '0']);
const exceptInNames = new Set(wordsOfNames);
const inBrackets = new Set([...words, ...wordsOfNames, ...wordsInBrackets]);
const longest = Math.max(...[...always, ...inBrackets].map((word) => word.length)) + 2;

/** The lengths that placeholders have, as bits, by their first character: most texts are told from them by this alone. */
const lengths = new Map<number, number>();
/** The same of ASCII, where it is asked for a few times in each row of a roster. */
const lengthsOfAscii = new Int32Array(128);
for (const word of [...always, ...exceptInNames]) {
  for (const first of [word.charCodeAt(0), word.toUpperCase().charCodeAt(0)]) {
    const known = (lengths.get(first) ?? 0) | (1 << word.length);
    lengths.set(first, known);
    if (first < 128) lengthsOfAscii[first] = known;
  }
}

/** Whether a text that begins with this is a letter or digit of the usual scripts: nearly every text does. */
function isLetterOrDigit(first: number): boolean {
  if (first < 128) return (first > 96 && first < 123) || (first > 64 && first < 91) || (first > 47 && first < 58);
  return (first > 191 && first < 0x2000) || (first > 0x303f && first < 0xe000);
}

const brackets: Readonly<Record<string, string>> = { '(': ')', '<': '>', '[': ']', '{': '}' };
/** No letter, no digit, and no symbol that somebody may have chosen for a name, such as a star. */
const signsOnly = /^[\p{P}\p{Z}~|^`+=<>¬¦]+$/u;

/**
 * Whether a cleaned text as a whole stands for no value, such as `n/a`, `(blank)`, `#REF!`, `-` or `########`, without
 * regard to case. An empty text does not.
 */
export function isPlaceholder(text: string, purpose: Purpose = 'other'): boolean {
  const first = text.charCodeAt(0);
  const isShort = text.length <= longest;
  const bits = first < 128 ? lengthsOfAscii[first] : lengths.get(first);
  if (isShort && bits !== undefined && (bits >> text.length) % 2 !== 0) {
    const word = text.toLowerCase();
    if (always.has(word) || (purpose === 'other' && exceptInNames.has(word))) return true;
  }
  // The rest neither begins nor ends with one.
  if (isLetterOrDigit(first) || isLetterOrDigit(text.charCodeAt(text.length - 1))) return false;
  if (isShort && error.test(text)) return true;
  const close = brackets[text[0] ?? ''];
  const isInBrackets = isShort && close !== undefined && text.endsWith(close);
  return (isInBrackets && inBrackets.has(text.slice(1, -1).trim().toLowerCase())) || signsOnly.test(text);
}
