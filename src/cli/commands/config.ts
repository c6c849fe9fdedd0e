// `config`: shows the settings in force, with secrets masked.
import { describeConfig } from '../../../config/describe.ts';
import { type GlobalOptions, openSession } from '../frame/session.ts';

export async function showConfig(options: GlobalOptions): Promise<number> {
  const { config, output } = openSession(options);
  output.print(describeConfig(config));
  output.print(
    config.file === undefined
      ? 'No config file was found here or in the folders above.'
      : `The config file is ${config.file}.`,
  );
  if (options.json) output.json('config', { file: config.file ?? null, settings: config.settings });
  return 0;
}
