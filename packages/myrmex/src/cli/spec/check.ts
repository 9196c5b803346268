/** `myrmex spec check`: everything a build should fail for, one line a finding. */
import { type CheckedFolder, type CheckFinding, checkFolder } from '../../spec/check.ts'
import { EMPTY_LOCK, judgeLock } from '../../spec/lock.ts'
import { readableJson } from '../../tool/readable-json.ts'
import { endWithReader } from '../audit/output.ts'
import { counted } from '../audit/show.ts'
import { oneLine } from '../line.ts'
import { aside, paint, print, say } from '../terminal.ts'
import { type Folder, foldersOf } from './folders.ts'
import { lockAt, presentIn, scopeOf } from './locked.ts'
import { textIfThere } from './text.ts'

interface Options {
  lock: string
  locked?: boolean
  json?: boolean
}

export async function check(files: string[], options: Options): Promise<void> {
  endWithReader()
  const folders = await foldersOf(files)
  const checked: CheckedFolder[] = []
  for (const { document, modules } of folders) {
    const text = await textIfThere(document)
    checked.push(await aside(() => checkFolder(document, text, modules)))
  }
  const findings = [...checked.flatMap((folder) => folder.findings), ...(await lockFindings(files, folders, options))]
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const tools = sum(checked.map((folder) => folder.tools))
  const examples = sum(checked.flatMap((folder) => Object.values(folder.examples)))
  if (options.json) print(readableJson({ folders: folders.map(({ path }) => path), tools, examples, errors, findings }))
  else {
    for (const finding of findings) print(line(finding))
    const done = `${counted(tools, 'tool')} in ${counted(folders.length, 'document')}, ${counted(examples, 'example')} executed`
    say(`${done}: ${counted(errors, 'error')}`)
  }
  if (errors > 0) process.exitCode = 1
}

async function lockFindings(files: string[], folders: readonly Folder[], options: Options): Promise<CheckFinding[]> {
  const lock = await lockAt(options.lock)
  const at = { file: options.lock, line: 1 }
  if (lock === undefined && !options.locked) {
    const message = 'there is no lock file: nothing is released yet. myrmex spec lock writes one.'
    return [{ ...at, rule: 'lock-missing', severity: 'note', message }]
  }
  const judged = judgeLock(lock ?? EMPTY_LOCK, presentIn(folders, options.lock), scopeOf(files, options.lock), {
    locked: options.locked === true,
  })
  return judged.map(({ rule, severity, tool, message }) => ({ ...at, rule, severity, tool, message }))
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'dim' } as const

const line = ({ file, line, rule, severity, message }: CheckFinding): string =>
  `${oneLine(file)}:${line}: ${paint(COLOURS[severity], rule)}: ${oneLine(message)}`

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
