// Recognises tables that are not about people, and log files.
import { headingKey } from '../headings/heading-senses.ts';

/** What a table is that is not of people, and words of its headings (`headingKey`) in the usual languages. */
const kinds: readonly { what: string; words: readonly string[] }[] = [
  {
    what: 'a bank statement',
    words: [
      ...[
        'iban',
        'bic',
        'balance',
        'debit',
        'credit',
        'bookingdate',
        'valuedate',
        'payee',
        'transaction',
        'transactiontype',
      ],
      ...[
        'saldo',
        'buchungstag',
        'buchungstext',
        'valuta',
        'verwendungszweck',
        'zahlungsempfanger',
        'solde',
        'libelle',
      ],
      ...['rentedatum', 'tegenrekening', 'bokforingsdag', 'wertstellung', 'kontonummer', 'auftraggeber'],
    ].map(headingKey),
  },
  {
    what: 'an invoice or an order',
    words: [
      ...[
        'invoice',
        'invoicenumber',
        'invoiceno',
        'invoicedate',
        'quantity',
        'qty',
        'price',
        'unitprice',
        'vat',
        'tax',
      ],
      ...['subtotal', 'total', 'amount', 'currency', 'sku', 'item', 'product', 'orderid', 'ordernumber', 'discount'],
      ...[
        'rechnungsnummer',
        'rechnung',
        'menge',
        'einzelpreis',
        'preis',
        'betrag',
        'mwst',
        'artikel',
        'facture',
        'quantite',
      ],
      ...[
        'prix',
        'montant',
        'tva',
        'factuurnummer',
        'aantal',
        'prijs',
        'bedrag',
        'btw',
        'fakturanummer',
        'antal',
        'pris',
      ],
    ].map(headingKey),
  },
  {
    what: 'a log',
    words: [
      ...[
        'timestamp',
        'level',
        'loglevel',
        'severity',
        'message',
        'logger',
        'thread',
        'hostname',
        'requestid',
        'traceid',
      ],
      ...['statuscode', 'useragent', 'clientip', 'ipaddress', 'eventid', 'duration'],
    ],
  },
];

/** The number of headings of a kind that say a table is of it. */
const enough = 2;

/** What a table is of by its headings, where these are surely not of people: `a bank statement`; undefined if nobody can say. */
export function kindOfTable(header: readonly string[]): string | undefined {
  const keys = header.map((name) => headingKey(name));
  const counted = kinds.map(({ what, words }) => ({ what, found: keys.filter((key) => words.includes(key)).length }));
  const [best] = counted.toSorted((a, b) => b.found - a.found);
  return best && best.found >= enough ? best.what : undefined;
}

/** A line that begins with a time, a syslog priority, or the address and time of a web request. */
const logLine =
  /^(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}|<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} |\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG)\]?[ :])/;

/** Whether the first line of a text is that of a log. */
export function isLogLine(line: string): boolean {
  return logLine.test(line);
}
