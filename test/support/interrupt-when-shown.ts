// Preloaded into a process (`node --import`): makes it believe that its standard error is a terminal, and interrupts it as
// Ctrl-C does when the text in PAYDESK_TEST_INTERRUPT_AT appears there.

const text = process.env.PAYDESK_TEST_INTERRUPT_AT ?? '';
const write = process.stderr.write.bind(process.stderr);
let isInterrupted = false;

process.stderr.isTTY = true;
process.stderr.write = ((shown: string) => {
  if (!isInterrupted && shown.includes(text)) {
    isInterrupted = true;
    process.kill(process.pid, 'SIGINT');
  }
  return write(shown);
}) as typeof process.stderr.write;
