/** The rules of the shop, as the helpdesk knows them. */

export const policies = `<div class="prose">
<h1>Delivery and returns</h1>
{%- for policy in policies %}
<section aria-labelledby="policy-{{ forloop.index }}">
<h2 id="policy-{{ forloop.index }}">{{ policy.title }}</h2>
<p>{{ policy.text }}</p>
</section>
{%- else %}
<p>The shop has written down no rules yet.</p>
{%- endfor %}
</div>
`
