// Reads the arguments of `npm run bench`, and decides whether its results are saved.

export interface RunOptions {
  readonly quick: boolean;
  readonly save: boolean;
  readonly parts: readonly string[];
}

export function runOptions(args: readonly string[], known: readonly string[]): RunOptions {
  const flags = args.filter((arg) => arg.startsWith('--'));
  const unknownFlags = flags.filter((flag) => flag !== '--quick' && flag !== '--save');
  if (unknownFlags.length > 0)
    throw new Error(`unknown option ${unknownFlags.join(', ')}; there are --quick and --save`);
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(', ')}; the parts are ${known.join(', ')}`);
  const quick = flags.includes('--quick');
  const complete = named.length === 0;
  if (flags.includes('--save') && !complete)
    throw new Error(
      'single parts are not saved, because saved figures come from one run: leave out --save or the parts',
    );
  return { quick, save: complete && (!quick || flags.includes('--save')), parts: complete ? known : named };
}
