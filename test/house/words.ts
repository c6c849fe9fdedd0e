/** A phrase that our texts avoid, in lower case, and what to write instead. The rules behind it: docs/development/style.md. */
type Rule = readonly [phrase: string, instead: string];

const rules: Rule[] = [
  ['are looked at', 'are checked'],
  ['are others by now', 'have changed since'],
  ['are others than', 'differ from'],
  ['as it stands in', 'as in'],
  ['as many as wanted', 'any number of'],
  ['as often as wanted', 'any number of times'],
  ['asks for patience', 'is rate-limiting us'],
  ['at most so many', 'at most this many, or the number itself'],
  ['begin anew', 'start again'],
  ['begins anew', 'starts again'],
  ['begins no further', 'makes no further'],
  ['begun anew', 'started again'],
  ['deserve a look', 'need checking'],
  ['deserves a look', 'needs checking'],
  ['for so long', 'for this time, or the number itself'],
  ['found out', 'detected'],
  ['go on with', 'continue'],
  ['goes on with', 'continues'],
  ['gone on with', 'continued'],
  ['has its way', 'say what it does'],
  ['hears how', 'is called with'],
  ['hears of', 'learns about, or is notified'],
  ['how long is kept', 'how long data is kept'],
  ['in silence', 'silently'],
  ['in whatever process', 'in any process'],
  ['is another by now', 'has changed since'],
  ['is another than', 'differs from'],
  ['is at it', 'is running, or uses the data directory'],
  ['is looked at', 'is checked'],
  ['is of no use', 'does not help'],
  ['is waited', 'name who waits: "how long to wait"'],
  ['known of', 'known about'],
  ['made anew', 'created again'],
  ['mend', 'fix'],
  ['mended', 'fixed'],
  ['mends', 'fixes'],
  ['nobody of us', 'not tested'],
  ['not there any more', 'have left'],
  ['not tried by us', 'not tested'],
  ['of which nobody', 'that nobody'],
  ['once more', 'again'],
  ['parted by', 'separated by'],
  ['puts down', 'queues, or records'],
  ['reckoned', 'calculated'],
  ['remarks it', 'warns about it'],
  ['said aloud', 'reported'],
  ['said of', 'said about'],
  ['saw to', 'handled'],
  ['says of', 'says about'],
  ['seen to', 'handled'],
  ['sees to', 'handles'],
  ['so large a share', 'this share'],
  ['so many a', 'the number itself: "at most 20 a day"'],
  ['tell of', 'report, or describe'],
  ['tells of', 'reports, or describes'],
  ['that is said', 'that is reported'],
  ['to speak of', 'the number itself'],
  ['told of', 'notified about'],
  ['trouble that passes', 'temporary trouble'],
  ['was looked at', 'was checked'],
  ['was waited', 'name who waited'],
  ['what became of', 'what happened to'],
  ['what becomes of', 'what happens to'],
  ['which is said', 'which is reported'],
  ['whom nobody gave', 'who was never given'],
  ['with what to do', 'say what to do'],
  ['without a word', 'silently, or without an error'],
  ['writes down', 'records'],
  ['written anew', 'rewritten'],
  ['written down', 'recorded'],
];

/** What separates two words of a phrase: spaces, or a line break with the sign of a comment. */
const gap = String.raw`\s[\s*/]*`;
const phrases = rules.map(([phrase]) => phrase.replaceAll(' ', gap)).join('|');
/** Not in `for (const tell of told)`. */
const banned = new RegExp(String.raw`(?<!\bconst )\b(?:${phrases})\b`, 'gi');
const instead = new Map(rules);

/** Each phrase of `text` that the rules name, as `name:line: "phrase", write: …`. Lines count from 1. */
export function wordFaults(name: string, text: string): string[] {
  return [...text.matchAll(banned)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split('\n').length;
    const phrase = found.toLowerCase().replaceAll(new RegExp(gap, 'g'), ' ');
    return `${name}:${line}: "${phrase}", write: ${instead.get(phrase)}`;
  });
}

/** The prose of a Markdown page: blocks of code become empty lines, so that the numbers of lines stay. */
export function proseOf(page: string): string {
  return page.replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/[^\n]/g, ''));
}
