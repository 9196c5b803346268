/** Every example payload of the five documents that somebody sends: the text of the message as the document has it. */

export interface ToolCallPayload {
  readonly at: string
  readonly text: string
  /** the error type if the example is refused on purpose */
  readonly error?: string
}

/** Tool calls in the documents' own envelope. */
export const TOOL_CALLS: readonly ToolCallPayload[] = [
  {
    at: 'document 1, §3.1 and §8.1',
    text: `{
  "tool_name": "ai_code_editing.generate_code",
  "arguments": {
    "prompt": "Create a Python function to sum a list of numbers.",
    "language": "python",
    "context_code": "# This is where the function should be placed"
  }
}`,
  },
  {
    at: 'document 3, §2, a file outside the directory of the tool',
    text: '{"tool_name": "file_utility.read_file_content", "arguments": {"file_path": "/path/to/file.txt", "max_chars": 1024}}',
    error: 'PermissionError',
  },
  {
    at: 'document 4, §1',
    text: `{
  "tool_name": "file_utility.read_file_content",
  "arguments": {
    "file_path": "project/docs/README.md",
    "max_chars": 2000
  }
}`,
  },
  {
    at: 'document 4, §2',
    text: `{
  "tool_name": "file_utility.read_file_content",
  "arguments": {
    "file_path": "src/app/main.py",
    "encoding": "utf-8"
  }
}`,
  },
]

/** Requests of document 5. The last two have neither `jsonrpc` nor `id` there. */
export const REQUESTS: readonly { readonly at: string; readonly text: string; readonly result: object }[] = [
  {
    at: 'document 5, §2.A',
    text: `{
  "jsonrpc": "2.0",
  "id": 1,
  "method": "tools/call",
  "params": {
    "name": "calculate_tax",
    "arguments": { "price": 100 }
  }
}`,
    // Document 5, §2.B: the response to it.
    result: { content: [{ type: 'text', text: '10.00' }] },
  },
  {
    at: 'document 5, §2.C',
    text: `{
  "jsonrpc": "2.0",
  "id": 2,
  "method": "resources/read",
  "params": {
    "uri": "file:///logs/error.txt"
  }
}`,
    result: { contents: [{ uri: 'file:///logs/error.txt', mimeType: 'text/plain', text: '12:00 disk full' }] },
  },
  {
    at: 'document 5, §7.B.1',
    text: `{
      "method": "agent/plan",
      "params": {
        "goal": "Launch a new coffee brand",
        "context": { "budget": 5000 }
      }
    }`,
    result: {
      content: [{ type: 'text' }],
      structuredContent: { goal: 'Launch a new coffee brand', budget: { money: 5000 }, questions: [] },
    },
  },
  {
    at: 'document 5, §7.B.2',
    text: `{
      "method": "agent/critique",
      "params": {
        "task": "Write Ad Copy",
        "output": "Buy our coffee!",
        "criteria": ["persuasiveness", "clarity"]
      }
    }`,
    result: {
      content: [{ type: 'text' }],
      structuredContent: { judgements: [{ criterion: 'persuasiveness' }, { criterion: 'clarity' }] },
    },
  },
]

/** Document 5, §7.C: the arguments of the fourteen tools. One image stands for the ellipsis of create_product_page. */
export const FLEET_CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['find_winning_products', { category: 'Home Decor', criteria: 'High Margin' }],
  ['analyze_niche', { niche: 'Ergonomic Chairs' }],
  ['find_suppliers', { product_id: '123', min_rating: 4.5 }],
  ['negotiate_price', { supplier_id: 'sup_99', target_price: 15.0 }],
  ['create_product_page', { title: 'Comfy Chair', price: 99.99, images: ['https://example.com/comfy-chair.jpg'] }],
  ['optimize_seo', { page_id: 'p_1', keywords: ['office', 'ergonomic'] }],
  ['create_ad_campaign', { platform: 'facebook', budget: 50, creative_id: 'c_1' }],
  ['write_copy', { tone: 'urgent', product_name: 'Comfy Chair' }],
  ['handle_ticket', { ticket_id: 't_555', sentiment: 'angry' }],
  ['generate_faq', { topic: 'shipping' }],
  ['fulfill_order', { order_id: 'o_777', address: '123 Main St' }],
  ['check_inventory', { sku: 'chair-red' }],
  ['generate_report', { date_range: 'last_30_days' }],
  ['predict_sales', { month: 'December' }],
]
