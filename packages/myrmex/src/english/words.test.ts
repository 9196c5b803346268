import { expect, test } from 'vitest'
import { splitWords } from './words.ts'

test.each([
  ['github.list_open_issues', ['github', 'list', 'open', 'issues']],
  ['listOpenIssues', ['list', 'open', 'issues']],
  ['parseHTTPRequest2', ['parse', 'http', 'request2']],
  ['Größe, café & naïve', ['große', 'cafe', 'naive']],
  ['读取文件内容 read', ['读取', '取文', '文件', '件内', '内容', 'read']],
  ['api接口v2', ['接口', 'api', 'v2']],
  ['  —!?  ', []],
])('%s is the words %j', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})
