/** `myrmex spec lint`: lints documents and prints findings as text, JSON or SARIF. */

import { resolve } from 'node:path'
import { plural } from '../../protocol/text.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'
import { print, say } from '../../serve/terminal.ts'
import { toJson, toSarif, toText } from '../../spec/lint/report.ts'
import { lintAll } from '../../spec/lint.ts'
import { readText } from '../read-text.ts'

export async function lintFiles(named: string[], options: { json?: boolean; sarif?: boolean }): Promise<void> {
  // A file that was named twice is still one.
  const files = [...new Map(named.map((file) => [resolve(file), file])).values()]
  const documents = await Promise.all(files.map(async (file) => ({ file, markdown: await readText(file) })))
  const { findings, documents: linted } = lintAll(documents)
  if (options.sarif) print(toSarif(findings, MYRMEX_VERSION).trimEnd())
  else if (options.json) print(toJson(findings, linted).trimEnd())
  else if (findings.length > 0) print(toText(findings).trimEnd())
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (!options.json && !options.sarif) {
    const warnings = findings.length - errors
    const tools = linted.reduce((count, { document }) => count + document.tools.length, 0)
    const found = `${plural(files.length, 'document')} with ${plural(tools, 'tool')}`
    say(`${found}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`)
  }
  if (errors > 0) process.exitCode = 1
}
