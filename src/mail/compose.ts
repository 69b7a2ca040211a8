// Puts a message into the form in which it is sent: headers, text and HTML. The library encodes names and subjects, and
// refuses line breaks in headers; nothing is read from files or from the network.

import MailComposer from 'nodemailer/lib/mail-composer';
import { oneLine } from './plain-text.ts';

export interface Mail {
  /** The same for every attempt: a mail program then recognises a message that arrives twice. */
  readonly id: string;
  readonly date: number;
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly replyTo: string | null;
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function composed(mail: Mail): Promise<Buffer> {
  const { id, date, from, to, replyTo, language, subject, text, html } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: to },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: oneLine(subject),
    messageId: `<${id}@${domain}>`,
    date: new Date(date),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...{ text, html, baseBoundary: id, newline: 'win' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
    .compile()
    .build();
}
