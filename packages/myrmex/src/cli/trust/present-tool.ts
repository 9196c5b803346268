/** A tool for the person who decides about it: what it does, its parameters, findings of the automatic check, and what changed. */
import { type TrackedTool, trackedVersion } from '../../ledger/decisions/tracked-tools.ts'
import { isObject } from '../../protocol/json.ts'
import { plural, shellWord } from '../../protocol/text.ts'
import { foreignLines, foreignProse } from '../../serve/foreign-text.ts'
import { oneLine, paint, wrap, wrapWithCommand } from '../../serve/terminal.ts'
import { fieldsOf, typeInWords } from '../../spec/schema-view.ts'
import { pointerInWords } from '../../tool/difference/place-in-words.ts'
import { GRADES, type VerifyFinding } from '../../tool/verify/finding.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { localTime } from '../audit/format.ts'
import type { EarlierDecision } from './earlier-decision.ts'

/** Column of the facts. */
const INDENT = 16
type Style = Parameters<typeof paint>[0]

export function headline(tracked: TrackedTool): string {
  const { tool, body } = tracked
  const [name, number, effect] = [
    oneLine(tool),
    oneLine(trackedVersion(tracked), 40),
    body.destructive ? 'changes state' : 'changes nothing',
  ]
  const lines = wrap(`${name}  ${number}  ${effect}`, 4).trimStart()
  if (lines.includes('\n')) return lines
  return [paint('bold', name), paint('dim', number), paint(body.destructive ? 'red' : 'dim', effect)].join('  ')
}

/** A label, and the text beside it. */
export const fact = (name: string, text: string, style: Style = 'dim'): string =>
  `  ${paint(style, name.padEnd(INDENT - 2))}${wrap(text, INDENT).trimStart()}`

/** The same, with a command at the end. */
export const factWithCommand = (name: string, text: string, command: string, style: Style = 'dim'): string =>
  `  ${paint(style, name.padEnd(INDENT - 2))}${wrapWithCommand(text, command, INDENT).trimStart()}`

export const bullets = (changes: readonly string[]): string[] =>
  changes.length === 0
    ? ['    the earlier definition is not known']
    : changes.map((change) => `    - ${wrap(oneLine(change), 6).trimStart()}`)

export function presentTool(
  tracked: TrackedTool,
  findings: readonly VerifyFinding[],
  before: EarlierDecision | undefined,
): string {
  const { body, definition } = tracked
  const origin = definition.origin === 'own' ? "in the server's own code" : 'by others'
  return [
    headline(tracked),
    ...(body.title === undefined ? [] : foreignProse(body.title)),
    ...foreignProse(body.description),
    ...(isRequest(tracked) ? promptArguments(body) : [...parameters(body), repeatable(body), ...dryRun(tracked)]),
    fact('security', oneLine(body.security)),
    fact(
      'definition',
      `${definition.hash.slice(0, 16)}, written ${origin}, last seen ${localTime(definition.last_seen)}`,
    ),
    ...(before === undefined ? [] : [`  ${paint('yellow', before.since)}:`, ...bullets(before.changes)]),
    fact('check', findingCount(findings)),
    ...findingLines(findings, 4),
    factWithCommand('all of it', '', `npx myrmex trust status ${shellWord(oneLine(tracked.tool))} --json`),
  ].join('\n')
}

/** For a resource, a prompt or instructions, which are no tools. */
const isRequest = ({ tool }: TrackedTool): boolean => tool.includes(':')

function promptArguments({ listing }: ToolBody): string[] {
  const listed = isObject(listing) && Array.isArray(listing.arguments) ? listing.arguments.filter(isObject) : []
  if (listed.length === 0) return []
  return [
    `  ${paint('dim', 'arguments')}`,
    ...listed.flatMap(({ name, description, required }) =>
      parameterLines(String(name), required === true ? 'required' : 'optional', description),
    ),
  ]
}

/** The name and type of a parameter begin a line; its description is below, further in. */
const parameterLines = (name: string, type: string, description: unknown): string[] => [
  ...foreignLines([`${/^[\w.[\]-]+$/.test(name) ? name : JSON.stringify(name)} (${type})`]),
  ...(typeof description === 'string' && description.trim() !== '' ? foreignProse(description, 4) : []),
]

const repeatable = ({ idempotent }: ToolBody): string =>
  fact('repeatable', idempotent ? 'yes: another call changes nothing more' : 'no: each call may change more')

/** Who trusts the tool also lets its dry run pass, without a person. */
function dryRun({ body, definition }: TrackedTool): string[] {
  if (body.dryRun !== true) return []
  const whose =
    definition.origin === 'own' ? 'changes nothing' : 'its server gets the arguments, and says that it changes nothing'
  return [fact('dry run', `yes: runs without approval; ${whose}`)]
}

/** All of them, those inside others too, with their whole descriptions. */
function parameters({ inputSchema }: ToolBody): string[] {
  const fields = fieldsOf(inputSchema)
  if (fields.length === 0) return [fact('parameters', 'none')]
  return [
    `  ${paint('dim', 'parameters')}`,
    ...fields.flatMap(({ name, schema, required }) =>
      parameterLines(
        name,
        `${typeInWords(schema, inputSchema)}, ${required ? 'required' : 'optional'}`,
        schema.description,
      ),
    ),
  ]
}

/** Findings, the worst first: the rule and its location, and below it the problem. */
export function findingLines(findings: readonly VerifyFinding[], indent: number): string[] {
  const sorted = [...findings].sort((a, b) => rank(a) - rank(b))
  const width = Math.max(0, ...sorted.map(({ rule }) => rule.length))
  return sorted.flatMap(({ grade, rule, where, message }) => {
    const mark = paint(COLOURS[grade], grade.padEnd(7))
    const head = `${' '.repeat(indent)}${mark}  ${rule.padEnd(width)}  ${paint('dim', oneLine(pointerInWords(where), 100))}`
    return [head, wrap(oneLine(message), indent + 9)]
  })
}

const COLOURS = { block: 'red', warn: 'yellow', note: 'dim' } as const
const rank = ({ grade }: VerifyFinding): number => GRADES.indexOf(grade)

/** `1 block, 2 notes` */
export function findingCount(findings: readonly VerifyFinding[]): string {
  const parts = GRADES.flatMap((grade) => {
    const count = findings.filter((finding) => finding.grade === grade).length
    return count === 0 ? [] : [plural(count, GRADE_NOUNS[grade])]
  })
  return parts.join(', ') || 'nothing found'
}

const GRADE_NOUNS = { block: 'blocking finding', warn: 'warning', note: 'note' } as const
