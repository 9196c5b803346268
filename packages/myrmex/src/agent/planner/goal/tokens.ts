/** The goal's text as a row of tokens: words, numbers, names in quotes. Positions are kept so that each is used once. */

export interface Token {
  /** as it is written, without quotes */
  readonly text: string
  readonly lower: string
  readonly quoted: boolean
  /** a comma or the end of a sentence is before it */
  readonly afterPunctuation: boolean
  /** it begins a sentence */
  readonly startsSentence: boolean
  /** a question mark follows */
  readonly beforeQuestionMark: boolean
}

/** A goal is a few sentences. The rest of a longer text is ignored. */
export const MAX_GOAL_LENGTH = 4000

const TOKEN =
  /"([^"]+)"|“([^”]+)”|«([^»]+)»|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|[$€£]?\d+(?:,\d{3})+(?:\.\d+)?|[$€£#]?[\p{L}\p{N}](?:[\p{L}\p{N}_]|[.:/@'’-](?=[\p{L}\p{N}]))*%?/gu

export function tokensOf(goal: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of goal.slice(0, MAX_GOAL_LENGTH).matchAll(TOKEN)) {
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4]
    const text = (quoted ?? match[0]).trim()
    const between = goal.slice(end, match.index)
    end = match.index + match[0].length
    tokens.push({
      text,
      lower: text.toLowerCase(),
      quoted: quoted !== undefined,
      afterPunctuation: /[,;.!?]/.test(between),
      startsSentence: tokens.length === 0 || /[.!?]|\n\s*\n/.test(between),
      beforeQuestionMark: /^["”»'\s]*\?/.test(goal.slice(end, end + 4)),
    })
  }
  return tokens
}

/** The number that a token is, with its currency and its commas left out. */
export function numberIn({ text, quoted }: Token): number | undefined {
  if (quoted || !/^[$€£#]?\d+(,\d{3})*(\.\d+)?%?$/.test(text)) return undefined
  return Number(text.replace(/[$€£#,%]/g, ''))
}

/** `24h`, `5kg`, `3rd`, `20%`: an amount, and nobody's name. */
export const isAmount = ({ text }: Token): boolean => /^[$€£]?\d+([.,]\d+)*(\p{L}{1,3}|%)?$/u.test(text)

export const isEmail = ({ text }: Token): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** `p-1`, `RED-CHAIR-01`, `2026-12`, `ord_17`: a code, not a word of a language. */
export const isIdentifier = ({ text, quoted }: Token): boolean =>
  !quoted && ((/\d/.test(text) && /[^\d.,$€£#%]/.test(text)) || (/[-_]/.test(text) && text === text.toUpperCase()))
