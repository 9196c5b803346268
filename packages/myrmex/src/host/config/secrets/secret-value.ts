/**
 * Resolves values of env and headers: a string with variables, or a secret from the environment, a file or a command. Errors contain
 * neither a secret nor a failed command's output.
 */
import type { ExecFileException } from 'node:child_process'
import type { ConfiguredValue } from '../endpoint-schema.ts'
import { readUpTo } from '../read-text.ts'
import { type ConfigContext, resolvePath, type VariableExpander } from '../variables.ts'
import { looksSecret } from './secret-names.ts'

export interface ResolvedValue {
  readonly text: string
  /** secret because of their source */
  readonly secrets: readonly string[]
  /** the same, but the operator has declared that results may contain them */
  readonly publicValues?: readonly string[]
  /** probably secret because of a name */
  readonly guessed: readonly string[]
}

const COMMAND_TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

/** `path` is the location in the file. Its last step is the name of the variable or header. */
export async function resolveValue(
  configured: ConfiguredValue,
  path: readonly PropertyKey[],
  expander: VariableExpander,
): Promise<ResolvedValue> {
  if (typeof configured !== 'object') {
    const { text, secrets } = expander.expand(String(configured), path)
    const guessed = looksSecret(String(path.at(-1))) ? [text, ...tokenAfterScheme(text)] : []
    return { text, secrets: [], guessed: [...secrets, ...guessed] }
  }
  const secret = await secretOf(configured, expander.context)
  if (typeof secret === 'string') {
    const text = (configured.prefix ?? '') + secret
    return configured.public === true
      ? { text, secrets: [], publicValues: [secret], guessed: [] }
      : { text, secrets: [secret], guessed: [] }
  }
  expander.addProblem(path, secret.problem)
  return { text: '', secrets: [], guessed: [] }
}

type SecretOrProblem = string | { readonly problem: string }

async function secretOf(
  configured: Exclude<ConfiguredValue, string | number>,
  context: ConfigContext,
): Promise<SecretOrProblem> {
  const [source, value] = fromSource(configured, context)
  const found = await value
  if (typeof found !== 'string') return found
  const text = found.trim()
  if (text === '') return { problem: `is empty: ${source} contains nothing` }
  // Headers and variables hold a single line.
  return /[\r\n\0]/.test(text) ? { problem: `has more than one line in ${source}` } : text
}

/** The name of the source, and the value it has. */
function fromSource(
  configured: Exclude<ConfiguredValue, string | number>,
  context: ConfigContext,
): [source: string, value: SecretOrProblem | Promise<SecretOrProblem>] {
  if ('from_env' in configured) {
    const source = `the environment variable ${configured.from_env}`
    return [source, context.env[configured.from_env] ?? { problem: `needs ${source}, which is not set` }]
  }
  if ('from_file' in configured) return [`the file ${configured.from_file}`, fromFile(configured.from_file, context)]
  const { from_command } = configured
  return [`what ${JSON.stringify(from_command[0])} printed`, fromCommand(from_command, context)]
}

async function fromFile(path: string, context: ConfigContext): Promise<SecretOrProblem> {
  const file = resolvePath(path, context)
  try {
    const bytes = await readUpTo(file, MAX_BYTES)
    if (bytes === undefined)
      return { problem: `is in a file of more than ${MAX_BYTES} bytes, which is too large for a secret: ${file}` }
    return bytes.toString('utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      problem: code === 'ENOENT' ? `is in a file that does not exist: ${file}` : `cannot be read from ${file}: ${code}`,
    }
  }
}

function fromCommand([program, ...args]: readonly string[], { folder, env }: ConfigContext): Promise<SecretOrProblem> {
  const { execFile } = process.getBuiltinModule('node:child_process')
  const options = {
    cwd: folder,
    env,
    timeout: COMMAND_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_BYTES,
  } as const
  return new Promise((resolve) => {
    const child = execFile(program ?? '', args, options, (error, stdout) => {
      if (error === null) resolve(stdout)
      else resolve({ problem: `cannot be resolved: ${failure(program ?? '', error)}` })
    })
    child.stdin?.end()
  })
}

function failure(program: string, { code, killed }: ExecFileException): string {
  const name = JSON.stringify(program)
  if (code === 'ENOENT') return `there is no program ${name}`
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `${name} printed more than ${MAX_BYTES} bytes`
  if (killed === true) return `${name} took longer than ${COMMAND_TIMEOUT_MS / 1000} seconds`
  return `${name} ended with ${code ?? 'a signal'}; run it yourself to see why`
}

/** The token in `Bearer abc`. */
const tokenAfterScheme = (text: string): string[] => /^[A-Za-z]+ +(\S+)$/.exec(text)?.slice(1) ?? []
