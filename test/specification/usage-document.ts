/**
 * A page of usage examples as the document has it: the definition of a tool is in a Markdown fence that has JSON fences inside it, so that
 * for a strict reader the outer fence ends at the first inner one.
 */
export const USAGE_DOCUMENT = `# Usage Examples

How a module describes its tools, and what the messages look like.

## 1. Example: Defining a Tool in a Module's \`MCP_TOOL_SPECIFICATION.md\`

A module describes each of its tools in a file of this name, such as:

\`\`\`markdown
## Tool: \`file_utility.read_file_content\`

**Version**: 1.0.0

**Purpose and Description**:
Returns the text of a file, so that an agent can work with it.

**Invocation Name**:
\`file_utility.read_file_content\`

**Input Schema (Parameters)**:

| Parameter Name | Type     | Required | Description                                  | Example Value          |
| :------------- | :------- | :------- | :------------------------------------------- | :--------------------- |
| \`file_path\`    | \`string\` | Yes      | The path of the file, absolute or relative.  | \`"src/data/input.txt"\` |
| \`max_chars\`    | \`integer\`| No       | Optional: how many characters to read.       | \`1024\`                 |
| \`encoding\`     | \`string\` | No       | Optional: its encoding. Default: "utf-8".    | \`"utf-8"\`              |

**JSON Schema for \`arguments\`**:
\`\`\`json
{
  "type": "object",
  "properties": {
    "file_path": { "type": "string", "description": "The path of the file, absolute or relative." },
    "max_chars": { "type": "integer", "description": "Optional: how many characters to read.", "minimum": 1 },
    "encoding": { "type": "string", "description": "Optional: its encoding. Default: \\"utf-8\\".", "default": "utf-8" }
  },
  "required": ["file_path"]
}
\`\`\`

**Output Schema (Return Value)**:

On success, an object with the text.

| Field Name     | Type     | Description                      |
| :------------- | :------- | :------------------------------- |
| \`file_content\` | \`string\` | The text of the file.            |
| \`chars_read\`   | \`integer\`| How many characters were read.   |
| \`encoding_used\`| \`string\` | The encoding it was read with.   |

**JSON Schema for \`data\` (on success)**:
\`\`\`json
{
  "type": "object",
  "properties": {
    "file_content": { "type": "string", "description": "The text of the file." },
    "chars_read": { "type": "integer", "description": "How many characters were read." },
    "encoding_used": { "type": "string", "description": "The encoding it was read with." }
  },
  "required": ["file_content", "chars_read", "encoding_used"]
}
\`\`\`

**Error Handling**:

Errors have the standard format.
Common \`error_type\` values for this tool include:
- \`FileNotFoundError\`: If there is no file at \`file_path\`.
- \`PermissionError\`: If the tool may not read the file.
- \`UnsupportedEncodingError\`: If the \`encoding\` is not known.
- \`FileTooLargeError\`: If the file is larger than the tool reads at once.

**Idempotency**:
This tool is **idempotent**. The same \`file_path\` gives the same \`file_content\`, unless somebody changes the file.

**Usage Examples (for MCP context)**:

\`\`\`json
{
  "tool_name": "file_utility.read_file_content",
  "arguments": {
    "file_path": "project/docs/README.md",
    "max_chars": 2000
  }
}
\`\`\`

**Security Considerations**:
- **Path Traversal**: \`file_path\` must be checked, so that \`../../etc/passwd\` is refused. Read inside one folder only.
- **Resource Limits**: large files take memory. \`max_chars\` helps, and the tool needs a limit of its own.
- **Information Disclosure**: whoever calls must be allowed to read the file.
\`\`\`

---

## 2. Example: MCP Tool Call Message

\`\`\`json
{
  "tool_name": "file_utility.read_file_content",
  "arguments": {
    "file_path": "src/app/main.py",
    "encoding": "utf-8"
  }
}
\`\`\`

## 3. Example: MCP Tool Result Message (Failure)

\`\`\`json
{
  "status": "failure",
  "data": null,
  "error": { "error_type": "FileNotFoundError", "error_message": "There is no such file." },
  "explanation": null
}
\`\`\`
`
