/** `myrmex spec lint`: what is wrong with documents, one line a finding, as JSON, or as SARIF. */
import { resolve } from 'node:path'
import { toJson } from '../../spec/lint/json.ts'
import { toSarif } from '../../spec/lint/sarif.ts'
import { toText } from '../../spec/lint/text.ts'
import { lintFiles as lintAll } from '../../spec/lint.ts'
import { endWithReader } from '../audit/output.ts'
import { counted } from '../audit/show.ts'
import { print, say } from '../terminal.ts'
import { textOf } from './text.ts'

export async function lintFiles(named: string[], options: { json?: boolean; sarif?: boolean }): Promise<void> {
  endWithReader()
  // A file that was named twice is still one.
  const files = [...new Map(named.map((file) => [resolve(file), file])).values()]
  const documents = await Promise.all(files.map(async (file) => ({ file, markdown: await textOf(file) })))
  const findings = lintAll(documents)
  if (options.sarif) print(toSarif(findings, '0.1.0').trimEnd())
  else if (options.json) print(toJson(findings, files).trimEnd())
  else if (findings.length > 0) print(toText(findings).trimEnd())
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (!options.json && !options.sarif) {
    const warnings = findings.length - errors
    say(`${counted(files.length, 'document')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`)
  }
  if (errors > 0) process.exitCode = 1
}
