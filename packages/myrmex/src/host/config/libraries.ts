/** The parsers of TOML and YAML, for the files of a few clients. `npm pack` bundles them into this file. */
export { parse as parseToml, TomlError } from 'smol-toml'
export { isMap, LineCounter, parseDocument, stringify as stringifyYaml } from 'yaml'
