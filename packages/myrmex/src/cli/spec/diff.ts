/** `myrmex spec diff`: every change and its meaning, the required version step, and whether the version is big enough. */
import { writeFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { type BumpCheck, CHANGES, type Comparison, checkBump, compare, migrationNote } from '../../spec/diff.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { comparedVersion, definitionsIn } from './definitions.ts'

interface Options {
  note?: string
  json?: boolean
}

interface Compared {
  readonly before: ToolBody
  readonly after: ToolBody
  readonly comparison: Comparison
  readonly bump: BumpCheck
}

export async function diff(from: string, to: string, options: Options): Promise<void> {
  if (options.json && options.note === '-')
    throw ToolError.of('ValidationError', '--json and --note - both print; give the note a file of its own')
  const [old, now] = [await definitionsIn(from), await definitionsIn(to)]
  const compared: Compared[] = []
  for (const [name, [after]] of now) {
    const before = after === undefined ? undefined : comparedVersion(old.get(name) ?? [], after.version)
    if (after === undefined || before === undefined) continue
    const comparison = compare(before, after)
    compared.push({ before, after, comparison, bump: checkBump(before.version, after.version, comparison.level) })
  }
  const added = [...now.keys()].filter((name) => !old.has(name))
  const removed = [...old].filter(([name]) => !now.has(name)).flatMap(([, bodies]) => bodies.slice(0, 1))
  if (options.note === '-') process.stdout.write(noteOn(compared))
  else if (options.json) print(readableJson(asJson(compared, added, removed)))
  else show(compared, added, removed)
  if (options.note !== undefined && options.note !== '-') {
    await writeFile(options.note, noteOn(compared))
    say(`${oneLine(options.note)} written`)
  }
  if (compared.some(({ bump }) => !bump.enough)) process.exitCode = 1
}

function show(compared: readonly Compared[], added: readonly string[], removed: readonly ToolBody[]): void {
  for (const { comparison, bump } of compared) print(inWords(comparison, bump))
  for (const name of added) print(`${paint('bold', oneLine(name))}  ${paint('green', 'new')}`)
  for (const { name, deprecatedIn } of removed) {
    const announced = deprecatedIn === undefined ? 'without announcement' : `deprecated in ${oneLine(deprecatedIn)}`
    print(`${paint('bold', oneLine(name))}  ${paint('red', 'removed')}, ${announced}`)
  }
}

const COLOURS = { major: 'red', minor: 'yellow', patch: 'cyan', none: 'dim' } as const

function inWords({ name, before, after, level, changes }: Comparison, bump: BumpCheck): string {
  const head = `${paint('bold', oneLine(name))}  ${before} → ${after}  ${paint(COLOURS[level], level)}`
  const shown = changes.filter((change) => change.level !== 'none')
  const lines = shown.flatMap(({ kind, level: own, text }) => [
    `  ${paint(COLOURS[own], own.padEnd(5))}  ${kind}`,
    wrap(oneLine(text), 9),
    paint('dim', wrap(CHANGES[kind].reason, 9)),
  ])
  const verdict = bump.enough ? [] : [`  ${paint('red', 'refused')}  ${bump.message}`]
  return [head, ...lines, ...verdict].join('\n')
}

function noteOn(compared: readonly Compared[]): string {
  const changed = compared.filter(({ comparison }) => comparison.changes.length > 0)
  return changed.map(({ before, after, comparison }) => migrationNote(before, after, comparison)).join('\n')
}

const asJson = (compared: readonly Compared[], added: readonly string[], removed: readonly ToolBody[]) => ({
  tools: compared.map(({ comparison, bump }) => ({ ...comparison, bump })),
  added,
  removed: removed.map(({ name, version, deprecatedIn }) => ({ name, version, deprecatedIn: deprecatedIn ?? null })),
})
