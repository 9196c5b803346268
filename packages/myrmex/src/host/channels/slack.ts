/** A message for an incoming webhook of Slack, or of a chat that accepts the same (Mattermost, Rocket.Chat, Discord's `/slack`). */
import type { Channel } from './channel.ts'
import { type Notice, noticeLines, noticeTitle } from './notice.ts'
import { post } from './post.ts'

/** What Slack accepts in one block. */
const MAX_TEXT = 2900

/** Text of callers must neither mention people nor become a link. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const slackChannel = (url: string, withArguments: boolean): Channel => ({
  send: (notice) => post(url, JSON.stringify(slackMessage(notice, withArguments)), {}),
})

export function slackMessage(notice: Notice, withArguments: boolean): object {
  const title = noticeTitle(notice)
  const lines = noticeLines(notice, withArguments).filter((line) => !line.includes(notice.link))
  return {
    // For notifications, and for chats without blocks.
    text: `${escaped(title)}: ${notice.link}`,
    blocks: [
      // plain_text: nothing in it is markup.
      { type: 'section', text: { type: 'plain_text', emoji: false, text: title } },
      { type: 'section', text: { type: 'plain_text', emoji: false, text: lines.join('\n').slice(0, MAX_TEXT) || ' ' } },
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: notice.link, action_id: 'myrmex-open' },
        ],
      },
    ],
  }
}
