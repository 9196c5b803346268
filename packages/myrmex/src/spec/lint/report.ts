/** Findings as text, JSON or SARIF. The same findings always give the same output. */
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { TextLocation } from '../document.ts'
import type { LintFinding, Rule } from './finding.ts'
import { foundTools } from './found-tools.ts'
import type { LintedFile } from './linted-document.ts'
import { RULES } from './rules.ts'

/** Lines that editors and CI understand: `file:line: rule: message`. */
export const toText = (findings: readonly LintFinding[]): string =>
  findings.map(({ file, line, rule, message }) => `${escapeHidden(file)}:${line}: ${rule}: ${message}\n`).join('')

/** `documents` are all that were linted, also those without findings. */
export function toJson(findings: readonly LintFinding[], documents: readonly LintedFile[] = []): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const tools = documents.flatMap(({ file, document }) => foundTools(file, document))
  const withoutTools = documents.flatMap(({ file, document: { saysNoTool } }) =>
    saysNoTool ? [{ file, ...saysNoTool }] : [],
  )
  const files = documents.map(({ file }) => file)
  return `${readableJson({ files, tools, withoutTools, findings, errors, warnings: findings.length - errors })}\n`
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json'

/** SARIF 2.1.0 (OASIS): code hosts show these findings beside the line. */
export function toSarif(findings: readonly LintFinding[], toolVersion: string): string {
  const driver = { name: 'myrmex', semanticVersion: toolVersion, rules: RULES.map(ruleOf) }
  const results = findings.map(resultOf)
  return `${readableJson({ $schema: SCHEMA, version: '2.1.0', runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }] })}\n`
}

const ruleOf = ({ name, severity, summary }: Rule): object => {
  const page = `docs/rules/${name}.md`
  return {
    id: name,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: `${summary} See ${page}.`, markdown: `${summary} See \`${page}\`.` },
    defaultConfiguration: { level: severity },
  }
}

const indexes = new Map(RULES.map(({ name }, index) => [name, index]))

const resultOf = ({ file, line, column, rule, severity, message, also }: LintFinding): object => ({
  ruleId: rule,
  ruleIndex: indexes.get(rule),
  level: severity,
  message: { text: message },
  locations: [locationOf(file, { line, column })],
  ...(also !== undefined && { relatedLocations: also.map((one) => locationOf(file, one)) }),
})

const locationOf = (file: string, { line, column }: TextLocation): object => ({
  physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } },
})

/** A path as a relative reference; an absolute one as a file URI. */
function uriOf(file: string): string {
  const path = file.toWellFormed().replaceAll('\\', '/')
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${encoded}`
  return /^[A-Za-z]:\//.test(path) ? `file:///${encoded}` : encoded
}
