/** The policies of the shop. */

export const policies = `<div class="prose">
<h1>Delivery and returns</h1>
{%- for policy in policies %}
<section aria-labelledby="policy-{{ forloop.index }}">
<h2 id="policy-{{ forloop.index }}">{{ policy.title }}</h2>
<p>{{ policy.text }}</p>
</section>
{%- else %}
<p>The shop has no policies yet.</p>
{%- endfor %}
</div>
`
