/**
 * Values of env and headers: a text with variables in it, or a secret that is had from the environment, a file or a command. No
 * secret is in an error; where a command fails, not even what it printed is.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolvePath } from '../relative-path.ts'
import type { ConfigContext, VariableExpander } from '../variables.ts'
import { looksSecret } from './secret-names.ts'

export type ConfiguredValue =
  | string
  | number
  | { readonly from_env: string; readonly prefix?: string | undefined }
  | { readonly from_file: string; readonly prefix?: string | undefined }
  | { readonly from_command: readonly string[]; readonly prefix?: string | undefined }

export interface ResolvedValue {
  readonly text: string
  /** said to be secret by where they came from */
  readonly secrets: readonly string[]
  /** thought to be secret because of a name */
  readonly guessed: readonly string[]
}

const COMMAND_MS = 10_000
const LARGEST = 64 * 1024

/** `path` is where in the file it stands; its last step is the name of the variable or header. */
export async function resolveValue(
  written: ConfiguredValue,
  path: readonly PropertyKey[],
  filling: VariableExpander,
  around: ConfigContext,
): Promise<ResolvedValue> {
  if (typeof written !== 'object') {
    const { text, secrets } = filling.expand(String(written), path)
    const guessed = looksSecret(String(path.at(-1))) ? [text, ...behindScheme(text)] : []
    return { text, secrets: [], guessed: [...secrets, ...guessed] }
  }
  const secret = await secretOf(written, around)
  if (typeof secret === 'string') return { text: (written.prefix ?? '') + secret, secrets: [secret], guessed: [] }
  filling.addProblem(path, secret.problem)
  return { text: '', secrets: [], guessed: [] }
}

type Had = string | { readonly problem: string }

async function secretOf(written: Exclude<ConfiguredValue, string | number>, around: ConfigContext): Promise<Had> {
  const had = await fromSource(written, around)
  if (typeof had !== 'string') return had
  const text = had.trim()
  if (text === '') return { problem: `is empty: ${sourceName(written)} holds nothing` }
  // It becomes a header or a variable; in neither is there room for more than one line.
  return /[\r\n\0]/.test(text) ? { problem: `has more than one line in ${sourceName(written)}` } : text
}

function fromSource(written: Exclude<ConfiguredValue, string | number>, around: ConfigContext): Promise<Had> | Had {
  if ('from_env' in written) {
    const value = around.env[written.from_env]
    return value ?? { problem: `needs the environment variable ${written.from_env}, which is not set` }
  }
  return 'from_file' in written ? fromFile(written.from_file, around) : fromCommand(written.from_command, around)
}

async function fromFile(path: string, around: ConfigContext): Promise<Had> {
  const file = resolvePath(path, around)
  try {
    const { size } = await stat(file)
    if (size > LARGEST) return { problem: `is in a file of ${size} bytes, which is too large for a secret: ${file}` }
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      problem: code === 'ENOENT' ? `is in a file that does not exist: ${file}` : `cannot be read from ${file}: ${code}`,
    }
  }
}

function fromCommand([program, ...args]: readonly string[], { folder, env }: ConfigContext): Promise<Had> {
  const { execFile } = process.getBuiltinModule('node:child_process')
  const options = { cwd: folder, env, timeout: COMMAND_MS, killSignal: 'SIGKILL', maxBuffer: LARGEST } as const
  return new Promise((resolve) => {
    const child = execFile(program ?? '', args, options, (error, stdout) => {
      if (error === null) resolve(stdout)
      else resolve({ problem: `is not had: ${failure(program ?? '', error as CommandError)}` })
    })
    child.stdin?.end()
  })
}

interface CommandError {
  readonly code?: number | string | null
  readonly killed?: boolean
}

function failure(program: string, { code, killed }: CommandError): string {
  const name = JSON.stringify(program)
  if (code === 'ENOENT') return `there is no program ${name}`
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `${name} printed more than ${LARGEST} bytes`
  if (killed === true) return `${name} took longer than ${COMMAND_MS / 1000} seconds`
  return `${name} ended with ${code ?? 'a signal'}; run it yourself to see why`
}

const sourceName = (written: Exclude<ConfiguredValue, string | number>): string =>
  'from_env' in written
    ? `the environment variable ${written.from_env}`
    : 'from_file' in written
      ? `the file ${written.from_file}`
      : `what ${JSON.stringify(written.from_command[0])} printed`

/** Of `Bearer abc` the part that is secret. */
const behindScheme = (text: string): string[] => /^[A-Za-z]+ +(\S+)$/.exec(text)?.slice(1) ?? []
