/** `myrmex profiles list|show`: the tool sets of the running host, from its API. A profile's view depends on what its servers offer now. */
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import type { ProfileView } from '../../host/profiles/profile-view.ts'
import { plural } from '../../protocol/text.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, padColumns, paint, print, section } from '../../serve/terminal.ts'
import { apiOf, runningHost } from '../host/running-host.ts'

interface ShowOptions {
  config?: string
  json?: boolean
}

type ProfileSummary = Omit<ProfileView, 'tools' | 'resources' | 'prompts'>

const MAX_CELL = 100
const cell = (text: string): string => oneLine(text, MAX_CELL)

export async function listProfiles({ config = HOST_FILE, json }: ShowOptions): Promise<void> {
  const file = await runningHost(hostFolder(config))
  const { profiles } = await apiOf(file).get<{ profiles: ProfileSummary[] }>('/profiles')
  if (json) return print(JSON.stringify({ profiles }, null, 2))
  if (profiles.length === 0) return print('myrmex.json has no profiles')
  const rows = profiles.map(({ name, path, counts, read_only }) => [
    cell(name),
    `${plural(counts.tools, 'tool')}${read_only ? ', read-only' : ''}`,
    new URL(path, file.url).href,
  ])
  for (const row of padColumns(rows, [])) print(row.join('  ').trimEnd())
}

export async function showProfile(name: string, { config = HOST_FILE, json }: ShowOptions): Promise<void> {
  const file = await runningHost(hostFolder(config))
  const view = await apiOf(file).get<ProfileView>(`/profiles/${encodeURIComponent(name)}`)
  if (json) return print(JSON.stringify(view, null, 2))
  const { counts, tools, resources, prompts } = view
  print(`${paint('bold', cell(view.name))} at ${new URL(view.path, file.url).href}`)
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
