/** A tool as somebody sees it who is to trust it: what it does, what it takes, what a machine found, what changed. */
import type { Seen } from '../../ledger/seen.ts'
import { isObject } from '../../protocol/json.ts'
import type { Finding } from '../../tool/verify/finding.ts'
import type { Body } from '../../tool/verify.ts'
import { localTime } from '../audit/show.ts'
import { oneLine } from '../line.ts'
import { paint, wrap } from '../terminal.ts'
import type { Before } from './before.ts'
import { findingCount, findingLines } from './findings.ts'

/** Where the facts begin. */
const INDENT = 16
type Style = Parameters<typeof paint>[0]

export const headline = ({ tool, version, body }: Seen): string =>
  [
    paint('bold', oneLine(tool)),
    paint('dim', oneLine(version)),
    body.destructive ? paint('red', 'changes state') : paint('dim', 'changes nothing'),
  ].join('  ')

/** A name in front, the text beside it. */
export const fact = (name: string, text: string, style: Style = 'dim'): string =>
  `  ${paint(style, name.padEnd(INDENT - 2))}${wrap(text, INDENT).trimStart()}`

export const bullets = (changes: readonly string[]): string[] =>
  changes.length === 0
    ? ['    what it was before is not known']
    : changes.map((change) => `    - ${wrap(oneLine(change), 6).trimStart()}`)

export function presented(seen: Seen, findings: readonly Finding[], before: Before | undefined): string {
  const { body, definition } = seen
  const origin = definition.origin === 'own' ? "in the server's own code" : 'by somebody else'
  return [
    headline(seen),
    wrap(oneLine(body.description), 2),
    ...parameters(body),
    fact(
      'repeatable',
      body.idempotent ? 'yes: calling it again changes nothing further' : 'no: each call may change more',
    ),
    fact('security', oneLine(body.security)),
    fact(
      'definition',
      `${definition.hash.slice(0, 16)}, written ${origin}, last seen ${localTime(definition.last_seen)}`,
    ),
    ...(before === undefined ? [] : [`  ${paint('yellow', before.since)}:`, ...bullets(before.changes)]),
    fact('by machine', findingCount(findings)),
    ...findingLines(findings, 4),
  ].join('\n')
}

function parameters({ inputSchema }: Body): string[] {
  const { properties, required } = inputSchema
  if (!isObject(properties) || Object.keys(properties).length === 0) return [fact('parameters', 'none')]
  return Object.entries(properties).map(([name, schema], index) => {
    const { type, description } = isObject(schema) ? schema : {}
    const kind = typeof type === 'string' ? type : 'any'
    const optional = Array.isArray(required) && required.includes(name) ? '' : '?'
    const says = typeof description === 'string' ? `: ${oneLine(description)}` : ''
    return fact(index === 0 ? 'parameters' : '', `${oneLine(name, 60)} (${oneLine(kind, 40)}${optional})${says}`)
  })
}
