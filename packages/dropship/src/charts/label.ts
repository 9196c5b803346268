/** Chart labels. Product titles are untrusted: characters that could break a chart or a terminal are removed here. */

/** Control characters, invisible ones, those that change the text direction, and lone surrogates, which XML forbids. */
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

/** Makes labels unique, because equal labels share one place on an axis. */
export function distinctLabels(texts: readonly string[], longest: number): string[] {
  const seen = new Map<string, number>()
  return texts.map((text) => {
    const label = plainLabel(text, longest) || '(no name)'
    const before = seen.get(label) ?? 0
    seen.set(label, before + 1)
    return before === 0 ? label : `${label} (${before + 1})`
  })
}
