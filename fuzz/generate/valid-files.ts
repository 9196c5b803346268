/** Valid configuration files and a valid specification document: the hostile files begin as one of them. No secret comes from a command. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

export const CONFIG_FILES = {
  host: {
    $schema: 'node_modules/myrmex/schema/myrmex.schema.json',
    host: { name: 'fuzz', port: 7350, list: 'all', always_list: ['files.*'] },
    servers: {
      files: {
        command: 'node',
        args: ['server.js', '--root', '.'],
        env: { TOKEN: 'abcdefgh', HOME: '/tmp' },
        cwd: '.',
        trust: 'ask',
        tools: { 'delete_*': 'disabled', read: { timeout_ms: 100, destructive: false } },
        start: 'lazy',
        timeout_ms: 1000,
      },
      remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abcdefgh' }, transport: 'http' },
    },
  },
  policy: {
    approvals: [{ tools: ['shop.*'], when: [{ argument: '/amount', above: 100 }], require: 'approval' }],
    limits: { total: { calls: 100, per: 'minute' }, tools: { 'shop.*': { calls: 5, per: 'second' } } },
    principals: [{ id: 'ada', token_sha256: 'a'.repeat(64), scopes: ['shop.*'] }],
    audit: { retention_days: 30, durability: 'process' },
  },
  constitution: JSON.parse(readFileSync(join(ROOT, 'packages/dropship/files/myrmex.constitution.json'), 'utf8')),
  fleet: JSON.parse(readFileSync(join(ROOT, 'packages/dropship/files/myrmex.fleet.json'), 'utf8')),
  client: {
    mcpServers: {
      'My-Files': { command: 'npx', args: ['-y', 'server', '.'], env: { A: 'b' }, disabled: false },
      github: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' }, autoApprove: ['search'] },
    },
    other: [1, 2, 3],
  },
} as const

export const DOCUMENT = readFileSync(join(ROOT, 'examples/file-utility/MCP_TOOL_SPECIFICATION.md'), 'utf8').slice(
  0,
  12_000,
)
