/** Parses Markdown with GitHub's tables, the dialect of all documents. */
import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

const extensions = [gfmTable()]
const mdastExtensions = [gfmTableFromMarkdown()]

export const parseMarkdown = (text: string): Root => fromMarkdown(text, { extensions, mdastExtensions })
