/** `myrmex spec lint`: what is wrong with documents, one line a finding, as JSON, or as SARIF. */
import { readFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { toJson } from '../../spec/lint/json.ts'
import { toSarif } from '../../spec/lint/sarif.ts'
import { toText } from '../../spec/lint/text.ts'
import { lintFiles as lintAll } from '../../spec/lint.ts'
import { endWithReader } from '../audit/output.ts'
import { counted } from '../audit/show.ts'
import { print, say } from '../terminal.ts'

export async function lintFiles(files: string[], options: { json?: boolean; sarif?: boolean }): Promise<void> {
  endWithReader()
  const documents = await Promise.all(files.map(async (file) => ({ file, markdown: await textOf(file) })))
  const findings = lintAll(documents)
  if (options.sarif) print(toSarif(findings, '0.1.0'))
  else if (options.json) print(toJson(findings))
  else if (findings.length > 0) print(toText(findings).trimEnd())
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (!options.json && !options.sarif) {
    const warnings = findings.length - errors
    say(`${counted(files.length, 'document')}: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}`)
  }
  if (errors > 0) process.exitCode = 1
}

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error) => {
    throw new ToolError('FileNotFoundError', `${file} cannot be read: ${error.message}`)
  })
