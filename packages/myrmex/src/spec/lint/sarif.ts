/**
 * Findings as SARIF 2.1.0 (OASIS), the form in which code hosts take them in and show them beside the line. The same findings
 * give the same text.
 */
import { readableJson } from '../../tool/text/readable-json.ts'
import type { LintFinding, Rule } from './finding.ts'
import { RULES } from './rules.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json'

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

const resultOf = ({ file, line, column, rule, severity, message }: LintFinding): object => ({
  ruleId: rule,
  ruleIndex: indexes.get(rule),
  level: severity,
  message: { text: message },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        region: { startLine: line, startColumn: column },
      },
    },
  ],
})

/** A path as a relative reference; an absolute one as a file URI. */
function uriOf(file: string): string {
  const path = file.toWellFormed().replaceAll('\\', '/')
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${encoded}`
  return /^[A-Za-z]:\//.test(path) ? `file:///${encoded}` : encoded
}
