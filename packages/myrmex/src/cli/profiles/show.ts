/** `myrmex profiles list|show`: the tool sets of the running host, from its API. A profile's view depends on what its servers offer now. */
import { apiClient } from '../../host/api/client.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ProfileView } from '../../host/profiles/profile-view.ts'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, padColumns, paint, print, section } from '../../serve/terminal.ts'
import { runningHost, START_HINT, unavailable } from '../host/running-host.ts'

interface ShowOptions {
  config?: string
  json?: boolean
}

const TIMEOUT_MS = 10_000
const MAX_CELL = 100
const cell = (text: string): string => oneLine(text, MAX_CELL)

export async function listProfiles({ config = HOST_FILE, json }: ShowOptions): Promise<void> {
  const { client, url } = await connect(config)
  const response = await reached(client.profiles.$get(undefined, init()))
  const { profiles } = await read<{ profiles: Omit<ProfileView, 'tools' | 'resources' | 'prompts'>[] }>(response)
  if (json) return print(JSON.stringify({ profiles }, null, 2))
  if (profiles.length === 0) return print('myrmex.json has no profiles')
  const rows = profiles.map(({ name, path, counts, read_only }) => [
    cell(name),
    `${plural(counts.tools, 'tool')}${read_only ? ', read-only' : ''}`,
    new URL(path, url).href,
  ])
  for (const row of padColumns(rows, [])) print(row.join('  '))
}

export async function showProfile(name: string, { config = HOST_FILE, json }: ShowOptions): Promise<void> {
  const { client, url } = await connect(config)
  const response = await reached(client.profiles[':name'].$get({ param: { name } }, init()))
  const view = await read<ProfileView>(response)
  if (json) return print(JSON.stringify(view, null, 2))
  const { counts, tools, resources, prompts } = view
  print(`${paint('bold', cell(view.name))} at ${new URL(view.path, url).href}`)
  if (view.description !== null) print(cell(view.description))
  print(
    `${plural(counts.tools, 'tool')}, ${counts.destructive} of them ${counts.destructive === 1 ? 'changes' : 'change'} state; ` +
      `${plural(counts.resources, 'resource')}, ${plural(counts.prompts, 'prompt')}`,
  )
  const notes = ({ destructive, reviewed }: ProfileView['tools'][number]): string =>
    [destructive && 'changes state', !reviewed && 'not reviewed yet'].filter((note) => note !== false).join(', ')
  const toolRows = tools.map((tool) => [`  ${cell(tool.tool)}`, notes(tool)])
  const sections = [
    section(
      'tools',
      padColumns(toolRows, []).map((row) => row.join('  ').trimEnd()),
    ),
    section(
      'resources',
      resources.map((uri) => `  ${cell(uri)}`),
    ),
    section(
      'prompts',
      prompts.map((prompt) => `  ${cell(prompt)}`),
    ),
  ]
  for (const text of sections) if (text !== '') print(text)
}

const init = () => ({ init: { signal: AbortSignal.timeout(TIMEOUT_MS) } })

async function connect(config: string) {
  const file = await runningHost(hostFolder(config))
  return { client: apiClient(file.url, file.token), url: file.url }
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw unavailable(`The host does not respond (${oneLine(String(error), 200)}). ${START_HINT}`)
  }
}

interface Answer {
  readonly ok: boolean
  json(): Promise<unknown>
}

async function read<T>(response: Answer): Promise<T> {
  const body = await response.json()
  if (response.ok) return body as T
  const { error_message } = body as { error_message?: string }
  throw ToolError.of('ValidationError', error_message ?? 'The host did not answer the question.')
}
