/*
 * Anybody can type somebody else's email with "verify at evil.example" as a name, and have us send it. So a name in a
 * mail contains only what names are made of, without anything that looks like an address or a number.
 */

const LONGEST = 60
const MOST_INITIALS = 4

/** What reads or works as a dot in an address, besides a dot. */
const DOTS = /[。․‧∙⋅•⸱⸳۔܁܂᛫ꓸꓹ꘎𐄁ꞏᐧᆞ]|\u{1D16D}/gu
/** Endings of addresses that people would recognise without the dot. */
const ENDING =
  '(?:com|net|org|info|biz|xyz|app|dev|web|site|shop|store|online|live|link|click|club|page|top|vip|icu|cloud|africa|example|test|co|za|au|uk|us|eu|de|io|ai|me|tv|cc|ly|ru|cn|ng|ke|sh)(?![\\p{L}\\p{M}])'
/** Before a name, these may have a dot. */
const TITLE =
  '(?:\\p{L}|mr|mrs|ms|miss|mx|dr|prof|st|ste|sr|snr|jr|jnr|fr|rev|adv|hon|capt|lt|mnr|mev|mej|mw)(?![\\p{L}\\p{M}])'
const BEGINS = '(?<![\\p{L}\\p{M}])'
/** "dot" between two words, except in a name such as Miss Dot Ann. The second o is a Cyrillic one, the third is Greek. */
const DOT = `(?:(?:d\\s?[oоο]\\s?t|punt)[\\s_‐–-]+(?:(?=${ENDING})|(?-i:(?=\\p{Ll}))))`
/** "evil dot com", "evil-dot-com", "evil [.] com", "evil . com", "evil. com" and "evil&#46;com". */
const SPELT_OUT = new RegExp(
  [
    String.raw`\s*[[({<]\s*(?:dot|\.)\s*[\])}>]\s*`,
    String.raw`(?<=\p{L}{2})[\s_‐–-]+${DOT}`,
    String.raw`\s+\.\s*(?=\p{L})`,
    String.raw`(?<=\p{L}{2})(?<!${BEGINS}${TITLE})\.\s+(?=${ENDING})`,
    String.raw`&#?\w{1,10};`,
  ].join('|'),
  'giu',
)
/** The dot of "Dr.Ng", which would be an address in Nigeria. With a space behind the dot it's a name. */
const RUN_TOGETHER = new RegExp(
  String.raw`(?<=${BEGINS}(?-i:(?=\p{Lu}))${TITLE})\.(?=(?-i:\p{Lu}\p{Ll}))(?=\p{L}{2}(?![\p{L}\p{M}])|${ENDING})`,
  'giu',
)
const NUMERAL =
  '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|nul|een|twee|drie|vier|vyf|ses|sewe|agt|nege)(?![\\p{L}\\p{M}])'
/** A number in words, and a word letter by letter. */
const SAID = new RegExp(
  `${BEGINS}(?:(?:${NUMERAL}[\\s.,‐–-]*){3,}|(?:\\p{L}[\\s.,‐–-]+){4,}\\p{L}(?![\\p{L}\\p{M}]))`,
  'giu',
)
const TAG = /<\/?[a-z][^<>]*>/giu
const BETWEEN_WORDS = /[\s,;|"“”„«»<>()[\]{}]+/u
const WITHIN_ADDRESSES = /[\\/:_?#=%]/
const SCHEME =
  /^(?:h(?:tt|xx)ps?|ftps?|www\d*)(?!\p{L})|^(?:mailto|tel|sms|data|javascript|whatsapp)[:/.]|\/\/|dot(?:com?|net|org|co-?(?:za|au))$/iu
const TITLES = new RegExp(`^${TITLE}$`, 'iu')
const LISTED = new RegExp(`^${ENDING}$`, 'iu')
/** The letters of all scripts, and 々 ー ʻ ʼ; other modifiers of letters look like dots and colons. */
const NOT_IN_NAMES = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{M}々ーʻʼ.·・&’'‐–-]/gu
const DIGIT = /\p{N}/u

function isDomain(word: string): boolean {
  // Names such as Gal·la and マリー・アン have a dot of their own.
  if (!word.includes('.')) return /[·・]/.test(word) && LISTED.test(word.split(/[·・]/).at(-1)!)
  const parts = word.split('.')
  const ending = parts.pop()!
  // As in "J.P.", but not spelling out a word.
  if ([...parts, ending].every((part) => [...part].length <= 1)) return parts.length > MOST_INITIALS
  const areTitles = parts.every((part) => TITLES.test(part))
  // As in "Jr.", "St.John" and "J.P.Smit", but not in "x.ai" and "dr.com".
  if (ending === '') return parts.length > 1 && !areTitles
  return !areTitles || ending.length === 2 || LISTED.test(ending)
}

const isAddress = (word: string) =>
  DIGIT.test(word) || word.includes('@') || SCHEME.test(word) || word.split(WITHIN_ADDRESSES).some(isDomain)

const shorten = (name: string, longest: number) => {
  const letters = [...name]
  if (letters.length <= longest) return name
  const cut = letters.slice(0, longest).join('')
  return cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut
}

/** The name of a person or a pet as a mail may show it; empty if nothing of it is left. */
export function nameForMail(typed: string, longest = LONGEST): string {
  const plain = typed
    // Normalised, these become a space and an accent.
    .replace(/[´`ʹ′]/g, '’')
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Z}]/gu, ' ')
    // Invisible characters, and those that reverse the direction of text.
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(TAG, ' ')
    .replace(DOTS, '.')
    .replace(RUN_TOGETHER, '. ')
    .replace(SPELT_OUT, '.')
    .replace(SAID, ' ')
  const words = plain
    .split(BETWEEN_WORDS)
    .map((word) => word.replace(/\.{2,}$/, ''))
    .flatMap((word) => (isAddress(word) ? [] : word.split(WITHIN_ADDRESSES)))
    .map((word) =>
      word
        .replace(NOT_IN_NAMES, '')
        .replace(/(\p{M}{3})\p{M}+/gu, '$1')
        .replace(/^[\p{M}.·・‐–-]+|[·・‐–-]+$/gu, ''),
    )
    .filter((word) => word === '&' || /\p{L}/u.test(word))
  return shorten(words.join(' ').replace(/^[& ]+|[& ]+$/g, ''), longest)
}

export const petForMail = (typed: string): string => nameForMail(typed) || 'your pet'
