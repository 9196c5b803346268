/** Labels of charts. Titles of products come from strangers: what would break a picture or a terminal is taken out here. */

/** Control characters, unseen ones, and those that turn the direction of a text. Also lone surrogates: no XML has them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu

export function plainLabel(text: string, longest: number): string {
  const plain = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  const letters = [...plain]
  return letters.length <= longest
    ? plain
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/** Labels that are all different, since what has the same label shares one place on an axis. */
export function distinctLabels(texts: readonly string[], longest: number): string[] {
  const seen = new Map<string, number>()
  return texts.map((text) => {
    const label = plainLabel(text, longest) || '(no name)'
    const before = seen.get(label) ?? 0
    seen.set(label, before + 1)
    return before === 0 ? label : `${label} (${before + 1})`
  })
}
