/** Files that hold secrets, or decide what a machine runs. Nobody hands them to a tool by chance. */

const SECRET_FILES = [
  String.raw`\.ssh(?:$|[/\\])`,
  String.raw`\bid_(?:rsa|ed25519|ecdsa|dsa)\b`,
  String.raw`(?:^|[/\\])\.env(?:$|\.(?:local|prod|production|dev)$)`,
  String.raw`\.aws(?:$|[/\\])`,
  String.raw`[/\\]etc[/\\](?:passwd|shadow|sudoers|hosts)`,
  String.raw`\.(?:npmrc|netrc|pypirc|git-credentials|gnupg|kube|docker[/\\]config|pgpass|bash_history|zsh_history|azure|gcloud)\b`,
  String.raw`\b(?:mcp|claude_desktop_config|credentials|secrets?|service[-_]account|keystore|application_default_credentials)\.(?:json|ya?ml|toml|ini|env)\b`,
  String.raw`\.(?:pem|p12|pfx|keystore|kdbx)$`,
  String.raw`\b(?:authorized_keys|known_hosts|wallet\.dat|login\.keychain|cookies\.sqlite|shadow\.bak)\b`,
  String.raw`[/\\]proc[/\\]self[/\\]environ`,
  String.raw`\.config[/\\](?:gh|gcloud|git|mcp)`,
  String.raw`\.(?:cursor|claude|codeium|vscode)[/\\]`,
].join('|')

const PATTERN = new RegExp(SECRET_FILES)

/** `path` is one word of a text, in lower case. */
export const isSecretFile = (path: string): boolean => path.length <= 300 && PATTERN.test(path)

const STARTUP =
  /authorized_keys|\.(?:bash|zsh)rc|\.(?:bash_)?profile|cron\.d|crontab|\.git[/\\]hooks|systemd|launchagents|(?:claude|agents)\.md|\.cursorrules|mcp\.json/

/** Files that later decide what runs, or what an agent reads. */
export const isStartupFile = (path: string): boolean => path.length <= 300 && STARTUP.test(path)
