/** Connects to tool files, a URL or a command in the same way. */
import { type Connection, connect } from '../../client/connect.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LoadOptions, loadServer, reportFailures } from './load.ts'

export interface ConnectTarget {
  files: string[]
  command: string[]
  url?: string
}

/** `options` are for a server that is made from files. */
export async function connectTarget(
  { files, command, url }: ConnectTarget,
  options: LoadOptions = {},
): Promise<Connection> {
  const given = [files.length > 0 && 'files', command.length > 0 && 'a command', url !== undefined && '--url'].filter(
    Boolean,
  )
  if (given.length !== 1) {
    const what = given.length === 0 ? 'nothing was given' : `${given.join(' and ')} were given`
    throw ToolError.of('ValidationError', `Pass tool files, --url or a command after --; ${what}.`)
  }
  if (files.length > 0) {
    const { server, failures } = await loadServer(files, options)
    reportFailures(failures)
    return connect(server)
  }
  if (url !== undefined) {
    const token = process.env.MYRMEX_TOKEN
    return connect({ url, ...(token !== undefined && { token }) })
  }
  const [program, ...args] = command as [string, ...string[]]
  // A command that a user types expects the user's environment.
  return connect({ command: program, args, env: process.env as Record<string, string> })
}
