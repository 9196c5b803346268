/**
 * The running host of a folder and requests to its API. If the ledger is locked, requests that change something ask for the operator's
 * passphrase and use a session, which ends with the command.
 */
import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { processExists } from '../../host/api/process-exists.ts'
import { type ErrorType, messageOf, ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { oneLine } from '../../serve/terminal.ts'

export interface RunningHostOptions {
  config?: string
  state?: string
}

/** A server that hangs is ended after some seconds, and a slow one is started within a minute. */
const TIMEOUT_MS = 90_000
const START = 'Start one with: npx myrmex host --http 7350'
const MAX_ERROR = 500

/** `folder` is the host's. Throws UnavailableError if no host listens. */
export async function runningHost(folder: string): Promise<ApiFile> {
  const file = await readApiFile(folder)
  if (file === undefined)
    throw unavailable(
      `No host is listening: there is no api.json in ${folder}. A host on stdio, which a client starts, has none. ${START}`,
    )
  // A killed host leaves its file behind, and its token must not be sent to another program on its port.
  if (!processExists(file.pid))
    throw unavailable(`No host is running: process ${file.pid} of ${folder} has ended. ${START}`)
  return file
}

export interface HostApi {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: JsonObject): Promise<T>
  close(): Promise<void>
}

/** `why` completes "The operator's passphrase, …". */
export function apiOf(file: ApiFile, why = 'to control the host'): HostApi {
  let session: Promise<string> | undefined
  const sessionToken = (): Promise<string> => {
    session ??= askForSession(file, why)
    return session
  }
  const post = async <T>(path: string, body: JsonObject = {}): Promise<T> => {
    const token = file.mode === 'locked' ? await sessionToken() : file.token
    return send<T>(file, path, token, body)
  }
  return {
    get: async (path) => send(file, path, session === undefined ? file.token : await session),
    post,
    async close() {
      if (session !== undefined) await post('/session/end').catch(() => undefined)
    },
  }
}

async function askForSession(file: ApiFile, why: string): Promise<string> {
  const [{ openSession }, { openSecretTerminal }] = await Promise.all([
    import('../../host/api/client.ts'),
    import('../../serve/secret-terminal.ts'),
  ])
  const terminal = await openSecretTerminal()
  try {
    const passphrase = await terminal.ask(`The operator's passphrase, ${why}: `)
    if (passphrase === undefined) throw ToolError.of('PermissionError', 'Cancelled: nothing was changed.')
    return await openSession(file, passphrase)
  } finally {
    terminal.close()
  }
}

async function send<T>({ url, pid }: ApiFile, path: string, token: string, body?: JsonObject): Promise<T> {
  let response: Response
  let answer: unknown
  try {
    response = await fetch(new URL(`/api${path}`, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    answer = await response.json()
  } catch (error) {
    const why = messageOf(error)
    throw unavailable(`The host of process ${pid} does not respond at ${url} (${oneLine(why, 200)}). ${START}`)
  }
  if (response.ok) return answer as T
  // Another program may have the port: what it says is shown only in the form that the API has.
  if (!isObject(answer) || typeof answer.error_message !== 'string' || response.status === 401)
    throw unavailable(
      `The server at ${url} is not the host of process ${pid}: it returned ${response.status}. ${START}`,
    )
  throw ToolError.of(answer.error_type as ErrorType, oneLine(answer.error_message, MAX_ERROR))
}

const unavailable = (message: string): ToolError => ToolError.of('UnavailableError', message)
