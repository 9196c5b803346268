/** Products and total of an order, as Liquid, for the address and payment pages. The section is not closed. */
export const ORDER_SUM = `<section class="sum" aria-labelledby="sum">
<h2 id="sum">What you order</h2>
<ul>
{%- for line in lines %}
<li><span>{{ line.quantity }} × {{ line.title }}</span> <span>{{ line.total }}</span></li>
{%- endfor %}
</ul>
<p class="sum-total"><span>Total with delivery</span> <strong>{{ total }}</strong></p>`
