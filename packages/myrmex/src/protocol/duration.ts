/** Times as people write them. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `120 s`, `15m`, `15 min`, `2h`, `1d` in milliseconds. Undefined if the text is no such time. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)$/.exec(text.trim()) ?? []
  const milliseconds = Math.round(Number(number) * (UNITS[unit ?? ''] ?? Number.NaN))
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}
