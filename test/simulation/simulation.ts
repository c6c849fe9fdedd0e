import { play, type Ending } from './play.ts';
import { type Story, storyOf } from './story.ts';
import { openStoryDatabase } from './world/database.ts';
import { settingsOf } from './world/settings.ts';

/** Plays stories, one after the other, in one database. */
export interface Simulation {
  play(story: Story): Promise<Ending>;
  close(): Promise<void>;
}

/** Opens the database in which stories are played. */
export async function openSimulation(): Promise<Simulation> {
  const database = await openStoryDatabase();
  const playStory = (story: Story): Promise<Ending> => play(database, settingsOf(story), story);
  // Loads what is loaded when it is first needed.
  await playStory({ ...storyOf(1), steps: storyOf(1).steps.slice(0, 1) });
  return { play: playStory, close: () => database.close() };
}
