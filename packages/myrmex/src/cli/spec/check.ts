/** `myrmex spec check`: everything that should fail a build, one line for each finding. */

import { plural } from '../../protocol/text.ts'
import { oneLine, paint, print, say, withStdoutOnStderr } from '../../serve/terminal.ts'
import { type CheckFinding, checkFolder, type FolderCheck } from '../../spec/check.ts'
import { checkVersions, EMPTY_LOCK, type Lock } from '../../spec/lock.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { readTextIfPresent } from '../read-text.ts'
import { loadFolders, type ToolFolder } from './folders.ts'
import { lockScope, presentTools, readLockFile } from './lock-file.ts'

interface Options {
  lock: string
  locked?: boolean
  json?: boolean
}

export async function check(files: string[], options: Options): Promise<void> {
  const folders = await loadFolders(files)
  const lock = await readLockFile(options.lock)
  const checked: FolderCheck[] = []
  for (const { document, modules } of folders) {
    const text = await readTextIfPresent(document)
    checked.push(await withStdoutOnStderr(() => checkFolder(document, text, modules, lock)))
  }
  const findings = [...checked.flatMap((folder) => folder.findings), ...lockFindings(files, folders, lock, options)]
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const tools = sum(checked.map((folder) => folder.tools))
  const examples = sum(checked.flatMap((folder) => Object.values(folder.examples)))
  if (options.json) print(readableJson({ folders: folders.map(({ path }) => path), tools, examples, errors, findings }))
  else {
    for (const finding of findings) print(line(finding))
    const done = `${plural(tools, 'tool')} in ${plural(folders.length, 'document')}, ${plural(examples, 'example')} executed`
    say(`${done}: ${plural(errors, 'error')}`)
  }
  if (errors > 0) process.exitCode = 1
}

function lockFindings(
  files: string[],
  folders: readonly ToolFolder[],
  lock: Lock | undefined,
  options: Options,
): CheckFinding[] {
  const at = { file: options.lock, line: 1 }
  if (lock === undefined && !options.locked) {
    const message = 'there is no lock file: nothing is released yet. myrmex spec lock writes one.'
    return [{ ...at, rule: 'lock-missing', severity: 'note', message }]
  }
  const judged = checkVersions(
    lock ?? EMPTY_LOCK,
    presentTools(
      folders.flatMap(({ modules }) => modules),
      options.lock,
    ),
    lockScope(files, options.lock, { folders: true }),
    {
      locked: options.locked === true,
    },
  )
  return judged.map(({ rule, severity, tool, message }) => ({ ...at, rule, severity, tool, message }))
}

const COLOURS = { error: 'red', warning: 'yellow', note: 'dim' } as const

const line = ({ file, line, rule, severity, message }: CheckFinding): string =>
  `${oneLine(file)}:${line}: ${paint(COLOURS[severity], rule)}: ${oneLine(message)}`

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
