/**
 * Arguments that a person changes before approving: from the command line, from a file, or in the person's editor on a private file that is
 * removed afterwards. The differences are shown before anything is asked.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { type ArgumentEdit, editArguments } from '../../ledger/decisions/edited-arguments.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, pointer } from '../../protocol/json.ts'
import { SECRET } from '../../protocol/secret.ts'
import { isAtTerminal } from '../../serve/confirm.ts'
import { foreignJson } from '../../serve/foreign-text.ts'
import { oneLine, paint, say } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'

export interface ChangeFlags {
  /** open the editor */
  edit?: boolean
  /** JSON, or @file */
  arguments?: string
}

export const wantsChange = ({ edit, arguments: given }: ChangeFlags): boolean => edit === true || given !== undefined

/** Undefined: nothing was changed. */
export async function changedArguments(
  ledger: Ledger,
  approval: Approval,
  flags: ChangeFlags,
): Promise<ArgumentEdit | undefined> {
  const text = flags.arguments === undefined ? await inEditor(approval) : await textOf(flags.arguments)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw ToolError.of(
      'ValidationError',
      `The changed arguments are not JSON: ${(error as Error).message}. Nothing was approved.`,
    )
  }
  const edit = await editArguments(ledger, approval, given)
  if (edit === undefined) say(`the arguments of ${approval.id} are unchanged`)
  return edit
}

const textOf = (given: string): Promise<string> | string =>
  given.startsWith('@') ? readFile(given.slice(1), 'utf8') : given

async function inEditor({ id, args }: Approval): Promise<string> {
  const editor = process.env.VISUAL || process.env.EDITOR || (isAtTerminal() ? 'vi' : undefined)
  if (editor === undefined)
    throw ToolError.of(
      'ValidationError',
      'There is no editor: set EDITOR, or pass the arguments with --arguments JSON or --arguments @FILE.',
    )
  // Only this user can enter the folder.
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-approval-'))
  const file = join(folder, `${id}.json`)
  try {
    await writeFile(file, `${readableJson(JSON.parse(args))}\n`, { mode: 0o600 })
    await runEditor(editor, file)
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** As git does it: EDITOR may have options. */
async function runEditor(editor: string, file: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' })
    : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit' })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0)
    throw ToolError.of(
      'ValidationError',
      `The editor ${editor} ended with ${code ?? 'a signal'}. Nothing was approved.`,
    )
}

const MAX_SHOWN = 300

/** The changed arguments, and each difference. */
export function changeLines({ args }: Approval, edit: ArgumentEdit): string[] {
  const lines = [paint('dim', 'changed arguments'), ...foreignJson(JSON.parse(edit.args)), paint('dim', 'differences')]
  const [before, after] = [valuesOf(JSON.parse(args)), valuesOf(JSON.parse(edit.args))]
  const text = (sign: string, at: string, value: string): string =>
    `  ${sign} ${oneLine(at === '' ? '/' : at, 100)}: ${oneLine(value, MAX_SHOWN)}`
  for (const [at, value] of before) if (after.get(at) !== value) lines.push(paint('red', text('-', at, value)))
  for (const [at, value] of after) if (before.get(at) !== value) lines.push(paint('green', text('+', at, value)))
  if (edit.args.includes(JSON.stringify(SECRET))) lines.push(`  ${SECRET} stays as the caller sent it`)
  return lines
}

/** Every value that is no filled object, by its JSON Pointer. */
function valuesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (!isObject(value) || Object.keys(value).length === 0) return new Map([[pointer(path), canonical(value)]])
  return new Map(Object.entries(value).flatMap(([name, item]) => [...valuesOf(item, [...path, name])]))
}
