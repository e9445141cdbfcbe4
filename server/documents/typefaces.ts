import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface Face {
  letters: RegExp
  plain: string
  bold: string
  isRightToLeft?: true
}
const KOREAN = require.resolve('@expo-google-fonts/gowun-dodum/400Regular/GowunDodum_400Regular.ttf')
const CHINESE_AND_JAPANESE =
  require.resolve('@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf')

/** The product's own, then those for scripts that it lacks. The last is for everything else. */
const FACES: Face[] = [
  {
    letters:
      /^[ -~\u00a0-\u00ac\u00ae-\u0113\u0116-\u0127\u012a\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u0161\u0164\u0165\u016a-\u017e\u0218-\u021bẀ-ẅẞỲỳ–—‘-‚“-„†-•…‹›€™←-→−≠≤≥]+$/,
    plain: require.resolve('@expo-google-fonts/figtree/400Regular/Figtree_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/figtree/700Bold/Figtree_700Bold.ttf'),
  },
  {
    letters:
      /^[[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Devanagari}\p{sc=Inherited} -~\u00a0-\u00ff\u2010-\u2026]--[\uff00-\uffef]]+$/v,
    plain: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
  },
  {
    letters: /^\p{scx=Arabic}+$/u,
    plain: require.resolve('@expo-google-fonts/vazirmatn/400Regular/Vazirmatn_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/vazirmatn/700Bold/Vazirmatn_700Bold.ttf'),
    isRightToLeft: true,
  },
  {
    letters: /^\p{sc=Thai}+$/u,
    plain: require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
  },
  {
    letters: /^\p{sc=Hebrew}+$/u,
    plain: require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    bold: require.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
    isRightToLeft: true,
  },
  { letters: /^\p{sc=Hangul}+$/u, plain: KOREAN, bold: KOREAN },
  { letters: /^/, plain: CHINESE_AND_JAPANESE, bold: CHINESE_AND_JAPANESE },
]

const UNPRINTED =
  /[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3\ufffd]|\p{Extended_Pictographic}\ufe0f|(?<![\p{L}\p{M}])\u200d|[[\p{Cc}\p{Cf}\p{Variation_Selector}]--[\n\u200c\u200d]]/gv

/** A text's paragraphs, without emoji and what can't be seen. */
export const paragraphsOf = (text: string) =>
  text
    .normalize('NFC')
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    // The library sets everything Arabic from right to left, even these digits.
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(UNPRINTED, '')
    .replace(/ {2,}/g, ' ')
    // The library measures the rest of a long word again for every line, so we break it up.
    .replace(/[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{200}(?=\S)/gu, '$& ')
    .split('\n')
    .map((paragraph) => paragraph.trim())

/** Every face has these. */
const JOINS = /^[\s\-'’"]+$/
const WORDS_AND_SPACES = /(?<=\S)(?=\s)|(?<=\s)(?=\S)/

/**
 * Cuts a paragraph into runs of one face each. A word takes the first face that has all its letters, so that no name is
 * set in two. What joins two words, such as a space or hyphen, takes their face if they share one, so that words from
 * right to left keep their order.
 */
export function runsOf(paragraph: string) {
  const faceOf = (text: string) => FACES.find(({ letters }) => letters.test(text))!
  const isOne = (word: string) => faceOf(word) !== FACES.at(-1)
  const pieces = paragraph
    .split(WORDS_AND_SPACES)
    .flatMap((word) => (isOne(word) ? [word] : [...word]))
    .map((text) => ({ text, face: faceOf(text) }))
  const runs: typeof pieces = []
  for (const [at, { text, face: own }] of pieces.entries()) {
    const [before, after] = [pieces[at - 1]?.face, pieces[at + 1]?.face]
    const face = JOINS.test(text) && before !== undefined && before === after ? before : own
    const last = runs.at(-1)
    if (last?.face === face) last.text += text
    else runs.push({ text, face })
  }
  return runs
}
