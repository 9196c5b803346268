/** A notification on the desktop of the user who runs the host, by the program that the system has for it. Runs no shell. */
import { escapeMarkup } from '../../protocol/text.ts'
import type { Channel } from './channel.ts'
import { noticeText, noticeTitle } from './notice.ts'

const TIMEOUT_MS = 10_000

/** The texts are arguments, never a part of a script. */
const PROGRAMS: Partial<Record<NodeJS.Platform, (title: string, text: string) => readonly string[]>> = {
  darwin: (title, text) => [
    'osascript',
    ...[
      '-e',
      'on run argv',
      '-e',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      '-e',
      'end run',
    ],
    title,
    text,
  ],
  // It reads markup in the text.
  linux: (title, text) => ['notify-send', '--app-name=Myrmex', '--', title, escapeMarkup(text)],
}

export function desktopChannel(withArguments: boolean, platform: NodeJS.Platform = process.platform): Channel {
  const commandFor = PROGRAMS[platform]
  return {
    send(notice) {
      if (commandFor === undefined)
        return Promise.reject(new Error(`desktop notifications are not supported on ${platform}; use another channel`))
      const [program = '', ...args] = commandFor(noticeTitle(notice), noticeText(notice, withArguments))
      return run(program, args)
    },
  }
}

function run(program: string, args: readonly string[]): Promise<void> {
  const { execFile } = process.getBuiltinModule('node:child_process')
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error) => {
      if (error === null) resolve()
      else if (error.code === 'ENOENT')
        reject(new Error(`there is no program ${program}; install it, or use another channel`))
      else reject(new Error(`${program} ended with ${error.code ?? 'a signal'}: is there a desktop?`))
    })
  })
}
