/** The lines that differ between two states of a file, for a preview. Secrets are replaced. */
import { SECRET } from '../../../protocol/secret.ts'

export interface ChangedLine {
  readonly sign: '+' | '-'
  /** of the old text for removed lines, of the new one for added ones */
  readonly line: number
  readonly text: string
}

const MAX_LINES = 2000

export function changedLines(before: string, after: string, secrets: readonly string[] = []): ChangedLine[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)]
  const hidden = [...secrets].filter((value) => value.length > 3).sort((x, y) => y.length - x.length)
  const shown = (text: string): string =>
    hidden.reduce(
      (line, value) => line.replaceAll(JSON.stringify(value).slice(1, -1), SECRET).replaceAll(value, SECRET),
      text,
    )
  return pairedLines(a, b)
    .filter(({ text }) => text.trim() !== '')
    .map(({ sign, line, text }) => ({ sign, line: line + head + 1, text: shown(text) }))
}

/** By the longest common subsequence. Very long changes are shown as a whole. */
function pairedLines(old: readonly string[], now: readonly string[]): ChangedLine[] {
  const removed = old.map((text, line) => ({ sign: '-', line, text }) as const)
  const added = now.map((text, line) => ({ sign: '+', line, text }) as const)
  if (old.length * now.length > MAX_LINES * MAX_LINES) return [...removed, ...added]
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number)
  const lines: ChangedLine[] = []
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (
      j >= now.length ||
      (i < old.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))
    )
      lines.push(removed[i++] as ChangedLine)
    else lines.push(added[j++] as ChangedLine)
  }
  return lines
}
