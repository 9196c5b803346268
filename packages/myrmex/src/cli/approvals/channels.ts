/** `myrmex approvals channels`: where the running host announces waiting calls, how that went, and a test of one channel. */

import type { ChannelStatus } from '../../host/channels/notifier.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, padColumns, paint, print, wrap } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import { apiOf, type HostApi, type RunningHostOptions, runningHost } from '../host/running-host.ts'
import { formatSpan } from '../time-span.ts'

interface ChannelFlags extends RunningHostOptions {
  test?: string
  json?: boolean
}

interface ChannelList {
  readonly channels: ChannelStatus[]
  readonly link: string | null
}

const MAX_CELL = 80
const MAX_ERROR = 400

export async function showChannels({ config, state, test, json }: ChannelFlags): Promise<void> {
  const api = apiOf(await runningHost(hostFolder(config ?? HOST_FILE, state)), 'to test a channel')
  try {
    await (test === undefined ? showAll(api, json === true) : testOne(api, test, json === true))
  } finally {
    await api.close()
  }
}

async function testOne(api: HostApi, name: string, json: boolean): Promise<void> {
  const tested = await api.post<ChannelStatus>(`/channels/${encodeURIComponent(name)}/test`)
  print(json ? readableJson({ ...tested }) : `${cell(tested.name)}: the test was sent; look whether it arrived`)
}

async function showAll(api: HostApi, json: boolean): Promise<void> {
  const { channels, link } = await api.get<ChannelList>('/channels')
  if (json) return print(readableJson({ channels, link }))
  if (channels.length === 0)
    return print('waiting calls are announced nowhere; to change that: approvals.channels in myrmex.json')
  const rows = channels.map(({ name, kind, tools, sent }) => [
    name,
    kind,
    tools?.join(', ') ?? 'all tools',
    `${sent} sent`,
  ])
  const lines = padColumns(
    rows.map((row) => row.map(cell)),
    [],
  ).map((cells) => cells.join('  '))
  for (const [index, one] of channels.entries()) {
    print(paint(isBroken(one) ? 'red' : 'green', (lines[index] ?? '').trimEnd()))
    for (const text of detailsOf(one)) print(`  ${wrap(text, 2).trimStart()}`)
  }
  print(paint('dim', link === null ? 'announcements have no link' : `links lead to ${oneLine(link, MAX_ERROR)}`))
  if (channels.some(isBroken)) process.exitCode = 1
}

const isBroken = ({ last_error, problem }: ChannelStatus): boolean => last_error !== null || problem !== null

function detailsOf({ last_error, problem }: ChannelStatus): string[] {
  if (problem !== null) return [oneLine(problem, MAX_ERROR)]
  if (last_error === null) return []
  return [`${formatSpan(Math.max(0, Date.now() - last_error.at))} ago: ${oneLine(last_error.message, MAX_ERROR)}`]
}

/** In a folder that nobody has trusted, `api.json` may name any server. */
const cell = (value: unknown): string => oneLine(String(value), MAX_CELL)
