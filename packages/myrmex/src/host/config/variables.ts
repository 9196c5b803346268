/** Expands variables in the syntaxes that clients use, and collects those that cannot be expanded. */
import { isAbsolute, join, resolve, sep } from 'node:path'
import { pointer } from '../../protocol/json.ts'
import { looksSecret } from './secrets/secret-names.ts'

/** What the configuration depends on besides the file. */
export interface ConfigContext {
  /** of the file; relative paths start there */
  readonly folder: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ConfigProblem {
  readonly path: string
  readonly message: string
}

/** `$${NAME}` becomes a literal `${NAME}`, for programs that expand variables themselves. */
const REFERENCE = /\$(\$\{[^}]*\})|\$\{([^}]*)\}/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

export class VariableExpander {
  readonly problems: ConfigProblem[] = []
  readonly context: ConfigContext

  constructor(context: ConfigContext) {
    this.context = context
  }

  addProblem(path: readonly PropertyKey[], message: string): void {
    this.problems.push({ path: pointer(path), message })
  }

  /** `secrets` are the values of variables whose name suggests a secret. */
  expand(text: string, path: readonly PropertyKey[]): { text: string; secrets: string[] } {
    const secrets: string[] = []
    const filled = text.replace(
      REFERENCE,
      (_, literal: string | undefined, reference: string) =>
        literal ?? this.#predefined(reference) ?? this.#variable(reference, path, secrets),
    )
    return { text: filled, secrets }
  }

  #predefined(reference: string): string | undefined {
    const { folder, home } = this.context
    if (reference === 'workspaceFolder') return folder
    if (reference === 'userHome') return home
    return reference === 'pathSeparator' || reference === '/' ? sep : undefined
  }

  #variable(reference: string, path: readonly PropertyKey[], secrets: string[]): string {
    const [, name, fallback] = VARIABLE.exec(reference) ?? []
    if (name === undefined) {
      this.addProblem(path, unknown(reference))
      return ''
    }
    const value = this.context.env[name]
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      if (looksSecret(name)) secrets.push(value)
      return value
    }
    if (fallback === undefined)
      this.addProblem(path, `needs the environment variable ${name}, which is not set. ${REMEDY(name)}`)
    return fallback ?? ''
  }
}

function unknown(reference: string): string {
  const whole = `$\{${reference.slice(0, 60)}}`
  if (reference.startsWith('input:'))
    return `uses ${whole}, which only VS Code supports; use {"from_env": NAME} or $\{NAME} instead`
  return `uses the unknown variable ${whole}; write $$\{…} for the literal text`
}

const REMEDY = (name: string): string =>
  `Set it, give a default with \${${name}:-…}, or disable the server with "disabled": true`

/** Paths are relative to the file's folder, and ~ is the home folder. */
export const resolvePath = (path: string, { folder, home }: Pick<ConfigContext, 'folder' | 'home'>): string =>
  /^~([/\\]|$)/.test(path) ? join(home, path.slice(1)) : resolve(folder, path)

/** A program without a folder is looked up in PATH. */
export const resolveProgram = (command: string, from: Pick<ConfigContext, 'folder' | 'home'>): string =>
  /[/\\]/.test(command) && !isAbsolute(command) ? resolvePath(command, from) : command
