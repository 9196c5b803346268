/** A message for an incoming webhook of Slack, or of a chat that accepts the same (Mattermost, Rocket.Chat, Discord's `/slack`). */
import { clip, escapeMarkup } from '../../protocol/text.ts'
import type { Channel } from './channel.ts'
import { type Notice, noticeLines, noticeTitle } from './notice.ts'
import { post } from './post.ts'

/** What Slack accepts in one block. */
const MAX_TEXT = 2900

export const slackChannel = (url: string, withArguments: boolean): Channel => ({
  send: (notice) => post(url, JSON.stringify(slackMessage(notice, withArguments)), {}),
})

export function slackMessage(notice: Notice, withArguments: boolean): object {
  const title = noticeTitle(notice)
  const { link } = notice
  const lines = noticeLines(notice, withArguments).join('\n')
  return {
    // For notifications, and for chats without blocks. Text of callers must neither mention people nor become a link.
    text: escapeMarkup(link === undefined ? title : `${title}: ${link}`),
    // Nobody fetches the link for a preview, and nothing in a text becomes a link.
    unfurl_links: false,
    unfurl_media: false,
    link_names: false,
    blocks: [
      // plain_text: nothing in it is markup.
      plainSection(title),
      plainSection(clip(lines, MAX_TEXT)),
      ...(link === undefined ? [] : [openButton(link)]),
    ],
  }
}

const plainText = (text: string) => ({ type: 'plain_text', emoji: false, text })
const plainSection = (text: string) => ({ type: 'section', text: plainText(text) })
const openButton = (url: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: plainText('Open'), url, action_id: 'myrmex-open' }],
})
