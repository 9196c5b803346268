/** Files, a URL or a command: whichever was given, connected to in the same way. */
import { type Connection, connect } from '../../client/connect.ts'
import { ToolError } from '../../protocol/errors.ts'
import { type LoadOptions, loadServer, reportFailures } from './load.ts'

export interface ConnectTarget {
  files: string[]
  command: string[]
  url?: string
}

/** `options` are for a server made of files. */
export async function connectTarget(
  { files, command, url }: ConnectTarget,
  options: LoadOptions = {},
): Promise<Connection> {
  const given = [files.length > 0 && 'files', command.length > 0 && 'a command', url !== undefined && '--url'].filter(
    Boolean,
  )
  if (given.length !== 1) {
    const what = given.length === 0 ? 'nothing was given' : `${given.join(' and ')} were given`
    throw ToolError.of('ValidationError', `Give tool files, --url or a command after --; ${what}.`)
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
  // Whoever types a command expects it to see the environment it was typed in.
  return connect({ command: program, args, env: process.env as Record<string, string> })
}
