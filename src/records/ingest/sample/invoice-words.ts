/**
 * The headers that programs write above invoices, folded, by the meaning of their column. They tell nothing about tables of work: Netto
 * is hours there. Words for the first meaning of a column stand before more general ones.
 */
export const INVOICE_HEADERS = {
  number:
    'invoice_number|invoice_no|invoice_no.|invoice_#|invoice#|invoice_num|inv_no|inv_number|invoice_id|invoice|rechnungsnummer|rechnungsnr|rechnungsnr.|rechnungs-nr.|rechnungs-nr|rechnung_nr|rechnung_nr.|rechnung|belegnummer|belegfeld_1|numéro_de_facture|n°_de_facture|n°_facture|numéro_facture|número_de_factura|nº_factura|numero_fattura|n._fattura|número_da_fatura|factuurnummer|fakturanummer',
  issued:
    'invoice_date|issue_date|date_issued|issued_on|issued|date_of_issue|date_of_invoice|invoiced_on|rechnungsdatum|belegdatum|ausgestellt_am|date_de_facture|date_facture|date_de_facturation|date_d’émission|fecha_de_factura|fecha_factura|data_fattura|data_da_fatura|factuurdatum|fakturadatum|date|datum|fecha|data',
  due: 'due_date|date_due|payment_due|due_on|due|fällig_am|fälligkeit|fälligkeitsdatum|zahlbar_bis|date_d’échéance|date_échéance|échéance|fecha_de_vencimiento|vencimiento|scadenza|data_scadenza|vervaldatum|förfallodatum',
  paid: 'paid_date|date_paid|paid_on|paid_at|payment_date|last_payment_date|bezahlt_am|zahlungsdatum|date_de_paiement|payée_le|fecha_de_pago|data_pagamento|betaaldatum',
  client:
    'client|client_name|customer|customer_name|customer_full_name|contact|contact_name|bill_to|billed_to|company|kunde|kundin|kundenname|auftraggeber|debitor|rechnungsempfänger|klant|cliente|nom_du_client|nombre_del_cliente|kund',
  supplier: 'supplier|supplier_name|vendor|vendor_name|lieferant|kreditor|fournisseur|proveedor|fornitore|leverancier',
  currency: 'currency|currency_code|währung|devise|moneda|valuta|moeda',
  state: 'invoice_status|invoice_state|status|state|rechnungsstatus|statut|estado|stato',
  payment: 'payment_status|payment_state|zahlungsstatus|statut_de_paiement|paid?|bezahlt',
  document:
    'document_type|transaction_type|invoice_type|type|belegart|dokumenttyp|rechnungsart|type_de_document|tipo_documento|tipo',
  label:
    'description|item_description|item_desc|line_description|memo/description|memo|details|label|item|item_name|product/service|subject|beschreibung|bezeichnung|leistung|artikel|position|text|buchungstext|libellé|désignation|descripción|concepto|descrizione|descrição|omschrijving|beskrivning',
  net: 'net|net_amount|amount_net|net_total|total_net|line_net|line_subtotal|subtotal|sub_total|line_total_excl_tax|untaxed_amount|amount_excl_tax|amount_excl_vat|amount_ex_vat|amount_ex_gst|total_excl_tax|total_excl_vat|total_ex_vat|amount_before_tax|netto|nettobetrag|netto-betrag|betrag_netto|summe_netto|gesamt_netto|netto_gesamt|nettosumme|montant_ht|total_ht|ht|base_imponible|imponibile|importe_neto|neto|subtotaal|bedrag_excl_btw|excl_btw|nettobelopp',
  amount:
    'amount|line_amount|item_amount|item_total|line_total|extended_amount|betrag|gesamtpreis|montant|importe|importo|valor|bedrag|belopp',
  tax: 'tax|tax_amount|tax_total|total_tax|line_tax|sales_tax|vat|vat_amount|gst|gst_amount|hst|pst|mwst|mwst-betrag|mwst_betrag|ust|ust-betrag|umsatzsteuer|mehrwertsteuer|steuer|steuerbetrag|tva|montant_tva|iva|cuota_iva|importe_iva|btw|btw-bedrag|btw_bedrag|moms|momsbelopp|tax2|tax_2|tax_2_amount|tax_1_amount',
  discount: 'discount|discount_amount|rabatt|nachlass|remise|descuento|sconto|korting',
  gross:
    'gross|gross_amount|amount_gross|gross_total|total_gross|invoice_amount|invoice_total|total_amount|amount_incl_tax|amount_incl_vat|total_incl_tax|total_incl_vat|total|brutto|bruttobetrag|brutto-betrag|betrag_brutto|summe_brutto|gesamt_brutto|gesamtbetrag|rechnungsbetrag|montant_ttc|total_ttc|ttc|importe_total|totale|totaal|bedrag_incl_btw|incl_btw|bruttobelopp',
  balance:
    'balance|balance_due|amount_due|open_balance|invoice_amount_due|open_amount|offener_betrag|offen|solde|saldo',
} as const;

/** The meanings that only the layout of a known program tells: amounts of the invoice, beside those of its lines. */
export const WHOLE_MEANINGS = ['invoice_net', 'invoice_tax', 'invoice_gross'] as const;

export type InvoiceMeaning = keyof typeof INVOICE_HEADERS | (typeof WHOLE_MEANINGS)[number];
